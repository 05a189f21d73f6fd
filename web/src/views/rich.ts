/** Text with <b>…</b> in it: the one mark-up that the words use. */
import { html } from 'lit';

export function rich(text: string): unknown {
  return text
    .split(/<b>(.*?)<\/b>/)
    .map((part, index) => (index % 2 === 0 ? part : html`<b>${part}</b>`));
}
