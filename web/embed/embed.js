/* global document, window, URL, URLSearchParams, MutationObserver, getComputedStyle, CustomEvent */
// <script async src="…/embed.js" data-view="vram" data-scenario="model=qwen3-8b&kind=lora"></script>
// puts the calculator where the script stands, or into each element with data-train-tally.
(function () {
  var script = document.currentScript;
  var page = new URL('embed.html', script.src);
  var from = page.protocol === 'file:' ? '*' : page.origin;
  var root = document.documentElement;
  var places = document.querySelectorAll('[data-train-tally]');

  function start(place) {
    var data = place.dataset;
    var frame = document.createElement('iframe');
    var link = new URLSearchParams('v=1');
    ['view', 'mode', 'lang', 'scheme', 'compact'].forEach(function (key) {
      if (key in data) link.set(key, data[key] || '1');
    });
    // The version is said already.
    var scenario = (data.scenario || '').replace(/^v=1&/, '');
    frame.src = page.href + '#' + link + (scenario ? '&' + scenario : '');
    frame.title = data.title || 'TrainTally';
    frame.allow = 'clipboard-write';
    frame.style.cssText = 'width:100%;border:0;height:' + (+data.height || 640) + 'px';

    function tell(message) {
      message.type = 'train-tally';
      frame.contentWindow.postMessage(message, from);
    }
    // Dark on a dark page, light on a light one, unless it is said. The frame judges the colours.
    function follow() {
      if (data.scheme) return;
      var around = [];
      for (var node = frame; (node = node.parentElement);)
        around.push(getComputedStyle(node).backgroundColor);
      tell({ around: around, declared: getComputedStyle(root).colorScheme });
    }
    window.addEventListener('message', function (event) {
      var said = event.data;
      if (event.source !== frame.contentWindow || (from !== '*' && event.origin !== from)) return;
      if (!said || said.type !== 'train-tally') return;
      if (said.height > 0 && said.height < 2e4) frame.style.height = said.height + 'px';
      if (said.ready) {
        follow();
        if (data.catalog) {
          // The frame reads it, and says what is wrong with it.
          var list = document.getElementById(data.catalog.slice(1));
          tell({ catalog: list ? { text: list.textContent } : data.catalog });
        }
        if (data.enquiry) tell({ enquiry: data.enquiry });
      }
      if (said.scenario)
        place.dispatchEvent(new CustomEvent('train-tally-change', { bubbles: true, detail: said }));
    });
    var observer = new MutationObserver(follow);
    observer.observe(root, { attributes: true });
    observer.observe(document.body, { attributes: true });
    if (place === script) script.after(frame);
    else place.replaceChildren(frame);
  }

  if (places.length) places.forEach(start);
  else start(script);
})();
