import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ApiDocument } from "./document";
import type { Party } from "./fixtures";
import type { RawAnswer } from "./http";

/** With nice names on a fresh product: for the examples of the reference. */
export const RECORDING = process.env.HALCYON_RECORD === "1";

const FOLDER = path.resolve(import.meta.dirname, "../../docs/examples");

/** An answer and what it answers, as the document shows them. */
export interface Recorded {
  request: { path: string; body?: unknown };
  status: number;
  body?: unknown;
}

export type RecordedCall = (
  method: string,
  target: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<RawAnswer>;

/**
 * Keeps the first answer of each operation and status, the first error of each code and the first event of each type;
 * with HALCYON_RECORD=1 they become the examples of /openapi.json (docs/examples). Only what is secret, too long to
 * read, or the test's own address is replaced.
 */
export class Recorder {
  readonly operations = new Map<string, Recorded[]>();
  readonly errors = new Map<string, unknown>();
  readonly events = new Map<string, unknown>();

  constructor(
    private readonly document: ApiDocument,
    private readonly replaced: readonly (readonly [string | RegExp, string])[] = [],
  ) {}

  /** Calls by a key, of which every answer is kept. */
  of(party: Pick<Party, "call">): RecordedCall {
    return async (method, target, body, headers) => {
      const answer = await party.call(method, target, body, headers);
      const operation = this.document.find(method, target);
      const code = answer.json.error?.code;
      if (code) this.error(code, answer.json);
      else if (operation) {
        const { status, text, json } = answer;
        const request = { path: target, ...(body === undefined ? {} : { body }) };
        this.operation(operation.operationId, { request, status, ...(text === "" ? {} : { body: json }) });
      }
      return answer;
    };
  }

  private operation(id: string, answer: Recorded): void {
    const list = this.operations.get(id) ?? [];
    if (!list.some(({ status }) => status === answer.status)) this.operations.set(id, [...list, answer]);
  }

  private error(code: string, body: unknown): void {
    if (!this.errors.has(code)) this.errors.set(code, body);
  }

  event(type: string, body: unknown): void {
    if (!this.events.has(type)) this.events.set(type, body);
  }

  /** Replaces the examples of these folders, when they are to be recorded. */
  write(...folders: ("operations" | "errors" | "events")[]): void {
    if (!RECORDING) return;
    for (const folder of folders) {
      rmSync(path.join(FOLDER, folder), { recursive: true, force: true });
      mkdirSync(path.join(FOLDER, folder), { recursive: true });
      for (const [name, value] of this[folder]) {
        writeFileSync(path.join(FOLDER, folder, `${name}.json`), `${this.shown(value)}\n`);
      }
    }
  }

  private shown(value: unknown): string {
    return this.replaced.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(value, null, 2));
  }
}
