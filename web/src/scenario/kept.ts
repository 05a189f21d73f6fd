/**
 * Scenarios that the visitor keeps by name, in this browser's storage: written only when asked.
 * Where there is none (a page from disk, a sandboxed frame, a strict setting) nothing is kept.
 */
const key = 'train-tally.kept';
const most = 50;

export interface Kept {
  readonly name: string;
  /** As in a link. */
  readonly link: string;
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Kept).name === 'string' &&
  typeof (value as Kept).link === 'string';

/** @returns undefined where the browser keeps nothing */
export function readKept(): readonly Kept[] | undefined {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(list) ? list.filter(isKept) : [];
  } catch (error) {
    return error instanceof SyntaxError ? [] : undefined;
  }
}

/** The newest first; a name is there once. @returns whether the browser kept it */
export function keep(entry: Kept): boolean {
  return write([entry, ...(readKept() ?? []).filter(({ name }) => name !== entry.name)]);
}

/** @param name one, or all of them */
export function forget(name?: string): boolean {
  return write(name === undefined ? [] : (readKept() ?? []).filter((each) => each.name !== name));
}

function write(list: readonly Kept[]): boolean {
  try {
    if (list.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(list.slice(0, most)));
    return true;
  } catch {
    return false;
  }
}
