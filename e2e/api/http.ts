import { request as httpRequest } from "node:http";
import { setTimeout } from "node:timers/promises";
import { documentOf } from "@/test/services/api-document";

/** A raw response. Playwright and `fetch` would correct some of these requests before sending them. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: { error?: ErrorAnswer } & Record<string, unknown>;
}

export interface ErrorAnswer {
  code: string;
  message: string;
  param?: string;
  errors?: { param: string; message: string }[];
  request_id: string;
  doc_url: string;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/**
 * Sends exactly this method, target and body to the product. Fails the test if a /v1 response does not match
 * /openapi.json.
 */
export async function raw(baseURL: string, target: string, options: RawRequest = {}): Promise<RawAnswer> {
  const reply = await send(baseURL, target, options);
  if (!/^\/v1(\/|$|\?)/.test(target)) return reply;
  const { method = "GET" } = options;
  const faults = (await documentOf(baseURL)).faults({ method, target, ...reply });
  if (faults.length > 0) throw new Error(`${method} ${target} → ${reply.status}: ${faults.join("; ")}`);
  return reply;
}

function send(baseURL: string, target: string, options: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseURL);
  const { method = "GET", headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const request = httpRequest(
      { hostname, port, method, path: target, headers: { ...length, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const isJson = response.headers["content-type"]?.startsWith("application/json") === true;
          const json = isJson && text ? (JSON.parse(text) as RawAnswer["json"]) : {};
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
        });
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

/** For how long {@link withKey} repeats what is unavailable, in milliseconds. */
const PATIENCE_MS = 120_000;

/** Does the same with an API key and an optional JSON body, once: for tests of what is unavailable. */
export function onceWithKey(baseURL: string, apiKey: string) {
  return (method: string, target: string, body?: unknown, headers: Record<string, string> = {}) =>
    raw(baseURL, target, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
}

/** Returns whether a request can be sent twice without being two. */
function isRepeatable(method: string, target: string, headers: Record<string, string> = {}): boolean {
  return method !== "POST" || "idempotency-key" in headers || /\/(approve|reject)$/.test(target);
}

/**
 * Does the same, and repeats what is unavailable after the pause that the response asks for, as clients do. A POST that
 * would be another one is sent once.
 */
export function withKey(baseURL: string, apiKey: string) {
  const once = onceWithKey(baseURL, apiKey);
  return async (...request: Parameters<typeof once>): Promise<RawAnswer> => {
    const [method, target, , headers] = request;
    const began = performance.now();
    for (;;) {
      const response = await once(...request);
      const isAway = response.json.error?.code === "unavailable" && isRepeatable(method, target, headers);
      if (!isAway || performance.now() - began > PATIENCE_MS) return response;
      await setTimeout(1000 * Number(response.headers["retry-after"] ?? 1));
    }
  };
}
