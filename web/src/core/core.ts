/**
 * The core, as the page sees it: documents in, documents out. `evaluate` is synchronous (an
 * estimate takes well under a millisecond) and always answers; should the WebAssembly module ever
 * abort, the answer is the problem "internal" and a new module takes the old one's place.
 */
import createTrainTally, { type CoreModule, type PlanSession, type Session } from 'traintally/glue';
import type { Report } from '../../generated/report';
import type { JsonObject } from '../scenario/document';

export type { Report };

export class Core {
  /** Called when a new module is ready after the old one aborted. */
  readonly onRestart = new Set<() => void>();
  private session: Session | undefined;
  private restarting = false;

  private constructor(
    private readonly compiled: WebAssembly.Module,
    private readonly catalog: string,
  ) {}

  static async start(compiled: WebAssembly.Module, catalog: string): Promise<Core> {
    const core = new Core(compiled, catalog);
    await core.create();
    return core;
  }

  estimate(scenario: JsonObject): Report {
    return this.evaluate('estimate', scenario) as Report;
  }

  evaluate(command: string, document: JsonObject): unknown {
    if (this.session === undefined) return internal();
    try {
      return JSON.parse(this.session.evaluate(command, JSON.stringify(document)));
    } catch (error) {
      console.error(error);
      this.session = undefined; // its memory can't be trusted any more, not even to be freed
      void this.restart();
      return internal();
    }
  }

  /** A search to be gone on with in steps, and deleted. @throws when there is no module */
  plan(request: JsonObject): PlanSession {
    if (this.session === undefined) throw new Error('the core is being restarted');
    return this.session.plan(JSON.stringify(request));
  }

  private async create(): Promise<void> {
    const { compiled } = this;
    const module: CoreModule = await new Promise((resolve, reject) => {
      const instantiateWasm: Parameters<typeof createTrainTally>[0]['instantiateWasm'] = (
        imports,
        receive,
      ) => {
        WebAssembly.instantiate(compiled, imports).then((instance) => {
          receive(instance, compiled);
        }, reject);
        return {};
      };
      createTrainTally({ instantiateWasm }).then(resolve, reject);
    });
    // As bytes: a string would be copied character by character.
    this.session = new module.Session(new TextEncoder().encode(this.catalog));
  }

  private async restart(): Promise<void> {
    if (this.restarting) return;
    this.restarting = true;
    try {
      await this.create();
      for (const listener of this.onRestart) listener();
    } finally {
      this.restarting = false;
    }
  }
}

function internal(): Report {
  return {
    version: 1,
    problems: [{ at: '', code: 'internal', accepts: '' }],
    absent: [],
    warnings: [],
  };
}
