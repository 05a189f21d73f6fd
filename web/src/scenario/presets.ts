/** What people do: each preset is a whole scenario, never mixed with what was set before. */
import type { JsonObject } from './document';

export const defaultScenario: JsonObject = { model: 'llama-3.1-8b' };

export const presets = [
  { name: 'lora8b', scenario: defaultScenario },
  {
    name: 'qlora70b',
    scenario: {
      model: 'llama-3.1-70b',
      training: { kind: 'qlora' },
      cluster: { gpu: 'a100-sxm-80gb' },
    },
  },
  {
    name: 'full7b',
    scenario: {
      model: 'qwen2.5-7b',
      training: { kind: 'full' },
      cluster: { gpu: 'a100-sxm-80gb', count: 8 },
    },
  },
  {
    name: 'continue32b',
    scenario: {
      model: 'qwen2.5-32b',
      training: { kind: 'pretrain', tokens: 5e10, sequence_length: 4096 },
      cluster: { gpu: 'h100-sxm-80gb', count: 64 },
    },
  },
  {
    name: 'pretrain70b',
    scenario: {
      model: 'llama-3.1-70b',
      training: { kind: 'pretrain', tokens: 2e12, sequence_length: 4096 },
      cluster: { gpu: 'h100-sxm-80gb', count: 1024 },
    },
  },
  {
    name: 'articleEntry',
    scenario: {
      model: 'llama-2-7b',
      training: { kind: 'lora' },
      cluster: { gpu: 'rtx-4090' },
      price: { offer: 'article-entry' },
    },
  },
  {
    name: 'articleAdvanced',
    scenario: {
      model: 'llama-3.1-70b',
      training: { kind: 'full' },
      cluster: { gpu: 'a100-sxm-40gb', count: 4 },
      price: { offer: 'article-advanced' },
    },
  },
  {
    name: 'articleFlagship',
    scenario: {
      model: { params: 1e11 },
      training: { kind: 'pretrain' },
      cluster: { gpu: 'h100-sxm-80gb', count: 8 },
      price: { offer: 'article-flagship' },
    },
  },
] as const satisfies readonly { readonly name: string; readonly scenario: JsonObject }[];

export function sameScenario(a: JsonObject, b: JsonObject): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
