import { createHmac, type KeyObject } from "node:crypto";
import { Agent, request } from "node:https";
import type { LookupFunction } from "node:net";
import type { TLSSocket } from "node:tls";
import type { CircuitInput, CircuitName, ProofResult } from "@/lib/ledger/prepare/witness";
import { privateAddresses } from "./private-addresses";
import { ProverBusy, ProverFailed } from "./prover";
import { MOST_BYTES, readProof, writeJob } from "./remote-wire";
import { channelOf, signRequest } from "./request-signature";

/** A fleet of provers, and what shows them that it is the server that asks. PEM texts. */
export interface RemoteProverSettings {
  /** https, a host and a port. */
  url: string;
  ca: string;
  cert: string;
  key: string;
  signingKey: KeyObject;
}

/** A proof takes a second at most, and waits for a few others. */
const PATIENCE_MS = 8_000;
/** After a prover that cannot be reached, no payment waits for it for so long. */
const AWAY_MS = 1_000;
/** After one that did not respond in time: each payment would wait for it again. */
const SILENT_MS = 30_000;
/** After one that lied. */
const DISTRUST_MS = 60_000;

/** Has proofs made by provers at PROVER_URL (docs/decisions/0214-provers-of-their-own.md). What they return is not believed. */
export class RemoteProver {
  private readonly agent: Agent;
  private awayUntil = 0;

  constructor(
    private readonly settings: RemoteProverSettings,
    private readonly accountOf: () => string = () => "",
    private readonly patienceMs = PATIENCE_MS,
  ) {
    const { ca, cert, key } = settings;
    this.agent = new Agent({
      ...{ ca, cert, key, minVersion: "TLSv1.3", rejectUnauthorized: true },
      ...{ keepAlive: true, scheduling: "fifo", lookup: privateLookup },
    });
  }

  /** Whether it is worth asking. */
  isThere(): boolean {
    return Date.now() >= this.awayUntil;
  }

  /** One that lied is not asked for a minute. */
  distrust(): void {
    this.awayUntil = Date.now() + DISTRUST_MS;
  }

  /**
   * @throws ProverBusy when its queue is full; ProverFailed for everything else, also where it says that there is no
   *   proof: only one's own prover is believed that
   */
  async prove(circuit: CircuitName, input: CircuitInput): Promise<ProofResult> {
    const { status, body } = await this.post(writeJob({ circuit, turn: this.turn(), input })).catch((error) => {
      // Not earlier than after a lie.
      const pause = codeOf(error) === "ABORT_ERR" ? SILENT_MS : AWAY_MS;
      this.awayUntil = Math.max(this.awayUntil, Date.now() + pause);
      throw new ProverFailed(`it cannot be reached (${codeOf(error)})`);
    });
    if (status === 503) throw new ProverBusy();
    const proven = status === 200 ? readProof(body) : undefined;
    if (!proven) throw new ProverFailed(`it returned ${status}`);
    return proven;
  }

  close(): void {
    this.agent.destroy();
  }

  /** Same for one account at every process, and nothing that says which account it is. */
  private turn(): string {
    const account = this.accountOf();
    if (account === "") return "";
    const key = this.settings.signingKey.export({ format: "der", type: "pkcs8" });
    return createHmac("sha256", key).update(`turn/${account}`).digest("hex").slice(0, 16);
  }

  private post(body: Buffer): Promise<{ status: number; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", "content-length": String(body.length) };
      const signal = AbortSignal.timeout(this.patienceMs);
      const asked = request(new URL("/prove", this.settings.url), {
        agent: this.agent,
        method: "POST",
        headers,
        signal,
      });
      const send = (socket: TLSSocket) => {
        // It says so by itself; there is nothing to sign for any more.
        if (socket.destroyed) return;
        const { time, nonce, signature } = signRequest(this.settings.signingKey, channelOf(socket), body);
        asked.setHeader("halcyon-time", time);
        asked.setHeader("halcyon-nonce", nonce);
        asked.setHeader("halcyon-signature", signature);
        asked.end(body);
      };
      asked.once("error", reject);
      asked.once("socket", (socket: TLSSocket) => {
        if (asked.reusedSocket) send(socket);
        else socket.once("secureConnect", () => send(socket));
      });
      asked.once("response", (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on("data", (chunk: Buffer) => {
          length += chunk.length;
          if (length > MOST_BYTES) asked.destroy(new Error("too much"));
          else chunks.push(chunk);
        });
        response.once("error", reject);
        response.once("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      });
    });
  }
}

/** Asked for each connection: a name that is changed to a public address later gets nothing either. */
const privateLookup: LookupFunction = (hostname, options, callback) => {
  privateAddresses(hostname).then(
    (found) => {
      if (options.all) return callback(null, found);
      const [one] = found;
      callback(null, one?.address ?? "", one?.family);
    },
    (error) => callback(error, ""),
  );
};

/** The code of a failure, or its class: messages may quote addresses. */
function codeOf(error: unknown): string {
  if (error instanceof Error) return "code" in error ? String(error.code) : error.name;
  return "unknown";
}
