/** JSON documents in, JSON documents out, over a catalogue. Needs no network once it is open. */
export interface Session {
  /**
   * @param command "estimate", "plan", "fit" or "catalog"
   * @param document one JSON document, of the form that schema/*.schema.json says
   * @returns one JSON document; what is wrong with the one given is in its "problems". Never throws.
   */
  evaluate(command: string, document: string): string;
  /** The "plan" command in slices, so that a page can show the front as it grows and stays awake. */
  plan(document: string): PlanSession;
  /** A JSON array of what is wrong with the catalogue; "[]" for a sound one. */
  catalog_problems(): string;
  /** Frees the session's memory; it must not be used afterwards. */
  delete(): void;
}

/** A plan search under way. The session that it came from must outlive it. */
export interface PlanSession {
  /** Goes on until about `work` more layouts are evaluated; says whether the search is complete. */
  step(work: number): boolean;
  /** What evaluate("plan", document) returns, as far as the search has come ("complete"). */
  answer(): string;
  /** Frees the search's memory; it must not be used afterwards. */
  delete(): void;
}

export interface Options {
  /** The merged catalogue's text; the package's own catalog.json where left out. */
  catalog?: string;
  /** The bytes of traintally.wasm, where the package cannot read or fetch its own. */
  wasmBinary?: ArrayBuffer | Uint8Array;
}

export function openSession(options?: Options): Promise<Session>;
