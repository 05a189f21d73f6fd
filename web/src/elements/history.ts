/** Undo and redo over whole scenarios; a burst of changes to one field is one step. */
import type { JsonObject } from '../scenario/document';

const longest = 100;
/** Milliseconds within which changes of the same field belong together. */
const burst = 1000;

export class History {
  private past: JsonObject[] = [];
  private future: JsonObject[] = [];
  private lastField = '';
  private lastTime = 0;

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** Before a change: what was there. @param field what changes; nothing: all of it */
  note(scenario: JsonObject, field = ''): void {
    const now = performance.now();
    const same = field !== '' && field === this.lastField && now - this.lastTime < burst;
    this.lastField = field;
    this.lastTime = now;
    this.future = [];
    if (!same) this.past = [...this.past.slice(1 - longest), scenario];
  }

  undo(current: JsonObject): JsonObject {
    const before = this.past.pop();
    if (before === undefined) return current;
    this.future.push(current);
    this.lastField = '';
    return before;
  }

  redo(current: JsonObject): JsonObject {
    const after = this.future.pop();
    if (after === undefined) return current;
    this.past.push(current);
    this.lastField = '';
    return after;
  }
}
