/** What all elements of the page have in common. */
import { LitElement, unsafeCSS, type CSSResult } from 'lit';
import basicText from '../styles/basic.css';

export const basic: CSSResult = unsafeCSS(basicText);

export class TallyElement extends LitElement {
  static override shadowRootOptions: ShadowRootInit = {
    mode: 'open',
    serializable: true,
  };

  /**
   * A page that the browser saved comes back with its shadow roots filled in: what is in there is
   * a picture of the last session, and gives way.
   */
  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    this.shadowRoot?.replaceChildren();
    return super.createRenderRoot();
  }
}
