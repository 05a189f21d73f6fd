/** The ES module that Emscripten makes of wasm/bindings.cpp; the build says where it is. */
declare module 'traintally/glue' {
  export interface Session {
    evaluate(command: string, document: string): string;
    catalog_problems(): string;
    delete(): void;
    plan(document: string): PlanSession;
  }
  export interface PlanSession {
    /** @returns whether the search is complete */
    step(work: number): boolean;
    answer(): string;
    delete(): void;
  }
  export interface CoreModule {
    readonly Session: new (catalog: string | Uint8Array) => Session;
  }
  type Receive = (instance: WebAssembly.Instance, module: WebAssembly.Module) => void;
  export default function createTrainTally(options: {
    instantiateWasm(imports: WebAssembly.Imports, receive: Receive): object;
  }): Promise<CoreModule>;
}

/** What the build puts into the element's one script. */
declare module 'traintally/data' {
  /** base64 of gzip. */
  export const wasm: string;
  export const catalog: string;
}

/** What the service worker keeps. */
declare module 'traintally/files' {
  export const files: readonly { readonly url: string; readonly revision: string }[];
}

/** Style sheets are bundled as minified text. */
declare module '*.css' {
  const text: string;
  export default text;
}
