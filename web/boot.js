/* global document, setTimeout */
// Runs in any browser, however old: says so when the page's own script could not even be read.
(function () {
  setTimeout(function () {
    var app = document.querySelector('train-tally');
    if (app && !app.shadowRoot) document.getElementById('too-old').hidden = false;
  }, 5000);
})();
