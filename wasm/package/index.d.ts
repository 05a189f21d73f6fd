/** JSON documents in, JSON documents out, over a catalogue. Needs no network once it is open. */
export interface Session {
  /**
   * @param command "estimate", "catalog", ...
   * @param document one JSON document, of the form that schema/*.schema.json says
   * @returns one JSON document; what is wrong with the one given is in its "problems". Never throws.
   */
  evaluate(command: string, document: string): string;
  /** A JSON array of what is wrong with the catalogue; "[]" for a sound one. */
  catalog_problems(): string;
  /** Frees the session's memory; it must not be used afterwards. */
  delete(): void;
}

export interface Options {
  /** The merged catalogue's text; the package's own catalog.json where left out. */
  catalog?: string;
  /** The bytes of traintally.wasm, where the package cannot read or fetch its own. */
  wasmBinary?: ArrayBuffer | Uint8Array;
}

export function openSession(options?: Options): Promise<Session>;
