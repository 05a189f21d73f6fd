/* global document, window, URL, URLSearchParams, MutationObserver, getComputedStyle, CustomEvent */
// <script async src="…/embed.js" data-view="vram" data-scenario="model=qwen3-8b&kind=lora"></script>
// puts the calculator where the script stands, or into each element with data-train-tally.
(function () {
  var script = document.currentScript;
  var page = new URL('embed.html', script.src);
  var from = page.protocol === 'file:' ? '*' : page.origin;
  var places = document.querySelectorAll('[data-train-tally]');

  function start(place) {
    var data = place.dataset;
    var frame = document.createElement('iframe');
    var link = new URLSearchParams('v=1');
    ['view', 'mode', 'lang', 'scheme', 'compact'].forEach(function (key) {
      if (key in data) link.set(key, data[key] || '1');
    });
    frame.src = page.href + '#' + link + (data.scenario ? '&' + data.scenario : '');
    frame.title = data.title || 'TrainTally';
    frame.allow = 'clipboard-write';
    frame.style.cssText = 'width:100%;border:0;height:' + (+data.height || 640) + 'px';

    function tell(message) {
      message.type = 'train-tally';
      frame.contentWindow.postMessage(message, from);
    }
    // Dark on a dark page, light on a light one, unless it is said.
    function follow() {
      var rgb = /(\d+), (\d+), (\d+)\)/.exec(getComputedStyle(document.body).backgroundColor);
      if (rgb && !data.scheme)
        tell({ scheme: +rgb[1] + +rgb[2] + +rgb[3] < 382 ? 'dark' : 'light' });
    }
    window.addEventListener('message', function (event) {
      var said = event.data;
      if (event.source !== frame.contentWindow || (from !== '*' && event.origin !== from)) return;
      if (!said || said.type !== 'train-tally') return;
      if (said.height > 0 && said.height < 2e4) frame.style.height = said.height + 'px';
      if (said.ready) {
        follow();
        var list = data.catalog && document.querySelector(data.catalog);
        if (list) tell({ catalog: JSON.parse(list.textContent) });
        if (data.enquiry) tell({ enquiry: data.enquiry });
      }
      if (said.scenario)
        place.dispatchEvent(new CustomEvent('train-tally-change', { bubbles: true, detail: said }));
    });
    new MutationObserver(follow).observe(document.documentElement, { attributes: true });
    if (place === script) script.after(frame);
    else place.replaceChildren(frame);
  }

  if (places.length) places.forEach(start);
  else start(script);
})();
