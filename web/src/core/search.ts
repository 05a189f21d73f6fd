/**
 * The plan search, in slices: the page stays awake, the front grows as it is found, and another
 * question takes the place of one that is still being answered.
 */
import type { PlanAnswer } from '../../generated/plan-answer';
import type { JsonObject } from '../scenario/document';
import type { Core } from './core';

/** Milliseconds of searching between two frames. */
const slice = 10;
/** Layouts to evaluate between two looks at the clock. */
const portion = 500;

export class Search {
  private asked = '';
  private found: PlanAnswer | undefined;
  private timer: number | undefined;

  /** @param changed called when there is more to show */
  constructor(private readonly changed: () => void) {}

  /** @returns what is found so far; undefined before the first slice */
  ask(core: Core, request: JsonObject): PlanAnswer | undefined {
    const asked = JSON.stringify(request);
    if (asked !== this.asked) {
      this.stop();
      this.asked = asked;
      this.found = undefined;
      const search = core.plan(request);
      const goOn = (): void => {
        const until = performance.now() + slice;
        let complete = false;
        while (!complete && performance.now() < until) complete = search.step(portion);
        this.found = JSON.parse(search.answer()) as PlanAnswer;
        if (complete) {
          search.delete();
          this.timer = undefined;
        } else {
          this.timer = window.setTimeout(goOn);
          this.drop = () => {
            search.delete();
          };
        }
        this.changed();
      };
      this.drop = () => {
        search.delete();
      };
      this.timer = window.setTimeout(goOn);
    }
    return this.found;
  }

  private drop: () => void = () => undefined;

  stop(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.asked = '';
    this.drop();
  }
}
