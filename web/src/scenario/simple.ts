/** What the simple mode asks; every other field of a scenario is the expert's. */
import { isObject, type JsonObject } from './document';

const everybodys =
  /^(?:model|training\/(?:kind|tokens)|cluster\/(?:gpu|count)|price\/(?:offer|per_gpu_hour|per_month|currency)|measured)(?:\/|$)/;

/** @param path a JSON Pointer, without its first slash */
export const asksEverybody = (path: string): boolean => everybodys.test(path);

/** How many fields are set that the simple mode doesn't show. */
export function expertSettings(scenario: JsonObject): number {
  return Object.entries(scenario)
    .flatMap(([part, value]) =>
      isObject(value) && part !== 'model'
        ? Object.keys(value).map((name) => `${part}/${name}`)
        : [part],
    )
    .filter((path) => !asksEverybody(path)).length;
}
