import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const FOLDER = path.resolve(import.meta.dirname, "../../docs/examples");

/** An answer and what it answers, as the document shows them. */
export interface Recorded {
  request: { path: string; body?: unknown };
  status: number;
  body?: unknown;
}

/**
 * Keeps the first answer of each operation and status, the first error of each code and the first event of each type;
 * with HALCYON_RECORD=1 they become the examples of /openapi.json (docs/examples). Only what is secret, too long to
 * read, or the test's own address is replaced.
 */
export class Recorder {
  readonly operations = new Map<string, Recorded[]>();
  readonly errors = new Map<string, unknown>();
  readonly events = new Map<string, unknown>();

  constructor(private readonly replaced: readonly (readonly [string | RegExp, string])[]) {}

  operation(id: string, answer: Recorded): void {
    const list = this.operations.get(id) ?? [];
    if (!list.some(({ status }) => status === answer.status)) this.operations.set(id, [...list, answer]);
  }

  error(code: string, body: unknown): void {
    if (!this.errors.has(code)) this.errors.set(code, body);
  }

  event(type: string, body: unknown): void {
    if (!this.events.has(type)) this.events.set(type, body);
  }

  write(): void {
    for (const [folder, entries] of Object.entries({
      operations: this.operations,
      errors: this.errors,
      events: this.events,
    })) {
      rmSync(path.join(FOLDER, folder), { recursive: true, force: true });
      mkdirSync(path.join(FOLDER, folder), { recursive: true });
      for (const [name, value] of entries) {
        writeFileSync(path.join(FOLDER, folder, `${name}.json`), `${this.shown(value)}\n`);
      }
    }
  }

  private shown(value: unknown): string {
    return this.replaced.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(value, null, 2));
  }
}
