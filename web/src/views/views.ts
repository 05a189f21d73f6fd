/** The views of the page, in the order of the navigation. */
import type { TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import { accuracy } from './accuracy';
import { estimate } from './estimate';

export const views = {
  estimate,
  accuracy,
} as const satisfies Record<string, (context: Context) => TemplateResult>;

export type ViewName = keyof typeof views;

export const viewNames = Object.keys(views) as ViewName[];

export function viewNamed(name: string | null): ViewName {
  return viewNames.find((known) => known === name) ?? 'estimate';
}
