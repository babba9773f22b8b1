import { AsyncLocalStorage } from "node:async_hooks";
import type { KeyObject } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { TLSSocket } from "node:tls";
import { UnsatisfiedCircuit } from "@/circuits/witness/unsatisfied-circuit";
import { log } from "@/lib/telemetry/log";
import { type Prover, ProverBusy } from "./prover";
import { MOST_BYTES, readJob, writeProof } from "./remote-wire";
import { channelOf, RequestGate } from "./request-signature";

/** The prover's own certificate and the credentials of the servers it accepts. PEM texts. */
export interface ProverServerSettings {
  cert: string;
  key: string;
  /** The certificate authority that signed the clients' certificates. */
  ca: string;
  /** The server's public key. */
  signer: KeyObject;
}

const turn = new AsyncLocalStorage<string>();

/** Returns the account pseudonym of the current request, for the pool's `accountOf`. */
export const currentTurn = (): string => turn.getStore() ?? "";

/**
 * Creates a server that makes proofs for clients with a certificate of the authority and a signature on each request.
 * Nothing of a request is stored or logged. With a full queue it returns 503, and the client proves elsewhere.
 */
export function createProverServer(prover: Pick<Prover, "prove">, settings: ProverServerSettings): Server {
  const gate = new RequestGate(settings.signer);
  const { cert, key, ca } = settings;
  const server = createServer(
    { cert, key, ca, requestCert: true, rejectUnauthorized: true, minVersion: "TLSv1.3" },
    (request, response) => {
      serve(prover, gate, request, response).catch(() => respond(response, 500, "failed"));
    },
  );
  // Limits requests per connection, so that load spreads to provers added later.
  server.maxRequestsPerSocket = 200;
  server.requestTimeout = 10_000;
  server.on("tlsClientError", (error) => log().warn({ code: (error as NodeJS.ErrnoException).code }, "client refused"));
  return server;
}

async function serve(
  prover: Pick<Prover, "prove">,
  gate: RequestGate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== "POST" || request.url !== "/prove") return respond(response, 404, "not_found");
  const body = await bodyOf(request);
  if (!body) return respond(response, 413, "too_large");
  const channel = channelOf(request.socket as TLSSocket);
  const said = {
    time: header(request, "halcyon-time"),
    nonce: header(request, "halcyon-nonce"),
    signature: header(request, "halcyon-signature"),
  };
  if (!gate.admits(said, channel, body)) {
    log().warn("a request without the server's signature was refused");
    return respond(response, 401, "unsigned");
  }
  const job = readJob(body);
  if (!job) return respond(response, 400, "malformed");
  try {
    const proven = await turn.run(job.turn, () => prover.prove(job.circuit, job.input));
    response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(writeProof(proven));
  } catch (error) {
    if (error instanceof ProverBusy) return respond(response, 503, "busy");
    if (error instanceof UnsatisfiedCircuit) return respond(response, 422, "unsatisfied");
    respond(response, 500, "failed");
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function respond(response: ServerResponse, status: number, error: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "application/json", ...(status === 503 && { "retry-after": "1" }) });
  response.end(JSON.stringify({ error }));
}
