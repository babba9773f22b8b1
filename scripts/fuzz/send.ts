import { Agent, request as httpRequest } from "node:http";
import type { FuzzRequest } from "./random-request";

/** A response as received. */
export interface FuzzResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** After this long without a response, the service counts as dead. */
const SILENCE_MS = 120_000;

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/**
 * Sends exactly this method, target and body.
 *
 * @throws Error when there is no response
 */
export function send(url: string, { method, target, headers, body }: FuzzRequest): Promise<FuzzResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const options = { agent, hostname, port, method, path: target, headers: { ...length, ...latin(headers) } };
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    request.setTimeout(SILENCE_MS, () => request.destroy(new Error("the service is silent")));
    request.on("error", reject);
    request.end(body);
  });
}

/** Node sends headers as Latin-1, so pass other characters as the bytes of their UTF-8. */
function latin(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value, "utf8").toString("latin1")]),
  );
}
