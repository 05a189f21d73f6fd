/**
 * How many tokens a text has, without its tokenizer: from counts of characters and the catalogue's
 * rates. Always a range. A file is counted piece by piece, in this page.
 */
import { isObject } from './document';

export interface Range {
  readonly low: number;
  readonly value: number;
  readonly high: number;
}

export interface TextLanguage {
  readonly id: 'en' | 'zh' | 'code';
  readonly characters_per_token: Range;
  readonly bytes_per_character: number;
}

/** More characters to a token: fewer tokens. */
export function tokensOf(characters: number, { characters_per_token: rate }: TextLanguage): Range {
  return {
    low: characters / rate.high,
    value: characters / rate.value,
    high: characters / rate.low,
  };
}

export function sum(a: Range, b: Range): Range {
  return { low: a.low + b.low, value: a.value + b.value, high: a.high + b.high };
}

export interface Counts {
  readonly rows: number;
  readonly characters: number;
  /** Of them, Chinese, Japanese or Korean: about as dense as Chinese. */
  readonly chinese: number;
}

const dense =
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\ud840-\ud887][\udc00-\udfff]/g;
const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Counts a text that comes in pieces. */
export class TextCounter {
  private rows = 0;
  private characters = 0;
  private chinese = 0;
  private rest = '';

  /** @param jsonl each line is a JSON document, whose strings are the text */
  constructor(private readonly jsonl: boolean) {}

  add(piece: string): void {
    const lines = (this.rest + piece).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.line(line, 1);
  }

  finish(): Counts {
    this.line(this.rest, 0);
    this.rest = '';
    const { rows, characters, chinese } = this;
    return { rows, characters, chinese };
  }

  private line(line: string, ending: number): void {
    if (line.trim() === '') return;
    this.rows += 1;
    if (this.jsonl) {
      let document: unknown;
      try {
        document = JSON.parse(line);
      } catch {
        document = line; // a broken row is still text
      }
      this.strings(document);
    } else {
      this.text(line);
      this.characters += ending;
    }
  }

  private strings(value: unknown): void {
    if (typeof value === 'string') this.text(value);
    else if (Array.isArray(value)) for (const item of value) this.strings(item);
    else if (isObject(value)) for (const item of Object.values(value)) this.strings(item);
  }

  private text(text: string): void {
    this.characters += text.length - (text.match(pairs)?.length ?? 0);
    this.chinese += text.match(dense)?.length ?? 0;
  }
}

/** @param progress told the share that is read @throws where it is no text in UTF-8 */
export async function countFile(file: File, progress: (share: number) => void): Promise<Counts> {
  const counter = new TextCounter(/\.(?:jsonl|ndjson)$/i.test(file.name));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = file.stream().getReader();
  let read = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    counter.add(decoder.decode(value, { stream: true }));
    read += value.length;
    progress(read / file.size);
  }
  counter.add(decoder.decode());
  return counter.finish();
}
