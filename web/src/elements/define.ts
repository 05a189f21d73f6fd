/** Gives the elements their names. */
import { Header } from './header';
import { NumberField } from './number-field';
import { Plot } from './plot';
import { SearchField } from './search-field';
import { StackedBar } from './stacked-bar';
import { TrainTally } from './train-tally';

/**
 * The outer ones first: in a page that the browser saved they come with the last session's inner
 * elements, which must be gone before those would come to life.
 */
const elements: readonly (readonly [name: string, element: CustomElementConstructor])[] = [
  ['train-tally', TrainTally],
  ['train-tally-header', Header],
  ['train-tally-number', NumberField],
  ['train-tally-search', SearchField],
  ['train-tally-bar', StackedBar],
  ['train-tally-plot', Plot],
];

export function defineElements(): void {
  for (const [name, element] of elements) {
    // Twice on a page, or on a host's page that has it already, is no error.
    if (customElements.get(name) === undefined) customElements.define(name, element);
  }
}
