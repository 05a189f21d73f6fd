/**
 * Stands in for d3-interpolate and d3-format in what is bundled. The page's scales are of numbers,
 * and labels are written by Intl: without the interpolation of colours, and the formats that only
 * `scale.tickFormat` uses, the charts' share of the page is a third.
 */
export const interpolateNumber = (from, to) => (t) => from * (1 - t) + to * t;
export const interpolate = interpolateNumber;
export const interpolateRound = (from, to) => (t) => Math.round(from * (1 - t) + to * t);

const missing = () => {
  throw new Error('not bundled: see web/tools/interpolate-numbers.js');
};
export {
  missing as piecewise,
  missing as format,
  missing as formatPrefix,
  missing as formatSpecifier,
  missing as precisionFixed,
  missing as precisionPrefix,
  missing as precisionRound,
};
