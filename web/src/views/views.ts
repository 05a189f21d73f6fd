/** The views of the page. */
import type { TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import { accuracy } from './accuracy';
import { estimate } from './estimate';
import { own } from './own';
import { quote } from './quote';
import { rent } from './rent';
import { sideBySide } from './side-by-side';
import { vram } from './vram';

export const views = {
  estimate,
  rent,
  compare: sideBySide,
  own,
  quote,
  accuracy,
  vram,
} as const satisfies Record<string, (context: Context) => TemplateResult>;

export type ViewName = keyof typeof views;

/** Those that tabs lead to, in their order. The others are for a host's page to ask for. */
export const tabNames = [
  'estimate',
  'rent',
  'compare',
  'own',
  'quote',
  'accuracy',
] as const satisfies readonly ViewName[];

export function viewNamed(name: string | null): ViewName {
  return name !== null && Object.hasOwn(views, name) ? (name as ViewName) : 'estimate';
}
