/** Gives the elements their names. */
import { Header } from './header';
import { Help } from './help';
import { NumberField } from './number-field';
import { Plot } from './plot';
import { SearchField } from './search-field';
import { StackedBar } from './stacked-bar';
import { TrainTally } from './train-tally';

type Definition = readonly [name: string, element: CustomElementConstructor];

/**
 * The outer ones first: in a page that the browser saved they come with the last session's inner
 * elements, which must be gone before those would come to life.
 */
export const embedded: readonly Definition[] = [
  ['train-tally', TrainTally],
  ['train-tally-number', NumberField],
  ['train-tally-search', SearchField],
  ['train-tally-help', Help],
  ['train-tally-bar', StackedBar],
  ['train-tally-plot', Plot],
];

/** Our own page has a header too. */
export const whole: readonly Definition[] = [...embedded, ['train-tally-header', Header]];

export function defineElements(definitions: readonly Definition[]): void {
  for (const [name, element] of definitions) {
    // Twice on a page, or on a host's page that has it already, is no error.
    if (customElements.get(name) === undefined) customElements.define(name, element);
  }
}
