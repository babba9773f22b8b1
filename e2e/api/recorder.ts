import { writeFileSync } from "node:fs";
import path from "node:path";
import type { ApiDocument } from "@/test/services/api-document";
import type { Party } from "./fixtures";
import type { RawAnswer } from "./http";

/** Whether to record the examples of the reference, with nice names on a fresh product. */
export const RECORDING = process.env.HALCYON_RECORD === "1";

const FOLDER = path.resolve(import.meta.dirname, "../../docs/examples");

/** A request and its response, as the document shows them. */
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
 * Keeps the first response of each operation and status, the first error of each code and the first event of each type.
 * With HALCYON_RECORD=1 they become the examples of /openapi.json (docs/examples). Only secrets, very long values and
 * the test's own address are replaced.
 */
export class Recorder {
  readonly operations = new Map<string, Recorded[]>();
  readonly errors = new Map<string, unknown>();
  readonly events = new Map<string, unknown>();

  constructor(
    private readonly document: ApiDocument,
    private readonly replaced: readonly (readonly [string | RegExp, string])[] = [],
  ) {}

  /** Returns a function that calls with a party's key and records every response. */
  of(party: Pick<Party, "call">): RecordedCall {
    return async (method, target, body, headers) => {
      const response = await party.call(method, target, body, headers);
      const operation = this.document.find(method, target);
      const code = response.json.error?.code;
      if (code) this.error(code, response.json);
      else if (operation) {
        const { status, text, json } = response;
        const request = { path: target, ...(body === undefined ? {} : { body }) };
        this.operation(operation.operationId, { request, status, ...(text === "" ? {} : { body: json }) });
      }
      return response;
    };
  }

  private operation(id: string, response: Recorded): void {
    const list = this.operations.get(id) ?? [];
    if (!list.some(({ status }) => status === response.status)) this.operations.set(id, [...list, response]);
  }

  private error(code: string, body: unknown): void {
    if (!this.errors.has(code)) this.errors.set(code, body);
  }

  event(type: string, body: unknown): void {
    if (!this.events.has(type)) this.events.set(type, body);
  }

  /** Replaces the examples in these folders when recording. */
  write(...folders: ("operations" | "errors" | "events")[]): void {
    if (!RECORDING) return;
    for (const folder of folders) {
      const sorted = [...this[folder]].sort(([a], [b]) => (a < b ? -1 : 1));
      writeFileSync(path.join(FOLDER, `${folder}.json`), `${this.shown(Object.fromEntries(sorted))}\n`);
    }
  }

  private shown(value: unknown): string {
    const text = JSON.stringify(value, null, 2).replace(/("doc_url": ")https?:\/\/[^/"]+/g, "$1");
    return this.replaced.reduce((shown, [from, to]) => shown.replaceAll(from, to), text);
  }
}
