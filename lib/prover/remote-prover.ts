import { createHmac, type KeyObject } from "node:crypto";
import { Agent, request } from "node:https";
import type { LookupFunction } from "node:net";
import type { TLSSocket } from "node:tls";
import type { CircuitInput, CircuitName, ProofResult } from "@/lib/ledger/prepare/witness";
import { privateAddresses } from "./private-addresses";
import { ProverBusy, ProverFailed } from "./prover";
import { MOST_BYTES, readProof, writeJob } from "./remote-wire";
import { channelOf, signRequest } from "./request-signature";

/** A fleet of provers, and the credentials with which the server authenticates to them. PEM texts. */
export interface RemoteProverSettings {
  /** `https:` with a host and a port. */
  url: string;
  ca: string;
  cert: string;
  key: string;
  signingKey: KeyObject;
}

/** A proof takes at most a second, and may have to wait for a few others. */
const PATIENCE_MS = 8_000;
/** Pause after a prover could not be reached, so that payments don't each wait for it. */
const AWAY_MS = 1_000;
/** Pause after a prover did not respond in time. Longer, because each payment would wait the full timeout again. */
const SILENT_MS = 30_000;
/** Pause after a prover returned a wrong proof. */
const DISTRUST_MS = 60_000;

/**
 * Has proofs made by the provers at PROVER_URL (docs/decisions/0214-provers-of-their-own.md). The caller verifies every
 * proof instead of trusting them.
 */
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

  /** Reports whether the provers are worth trying now. */
  isThere(): boolean {
    return Date.now() >= this.awayUntil;
  }

  /** Stops using the provers for a minute after one returned a wrong proof. */
  distrust(): void {
    this.awayUntil = Date.now() + DISTRUST_MS;
  }

  /**
   * Has a proof made.
   *
   * @throws ProverBusy if the prover's queue is full; ProverFailed otherwise. That includes a prover that says there is
   *   no proof: only the local prover is trusted to decide that.
   */
  async prove(circuit: CircuitName, input: CircuitInput): Promise<ProofResult> {
    const { status, body } = await this.post(writeJob({ circuit, turn: this.turn(), input })).catch((error) => {
      // Never shorten the pause after a wrong proof.
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

  /** A pseudonym of the account. All of our processes compute the same one, and it does not reveal the account. */
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
        // The error event reports this; there is no connection to sign for.
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

/** Resolves the host again for each connection, so that a name that later points to a public address gets nothing. */
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

/** Returns an error's code or class name. Messages may contain addresses. */
function codeOf(error: unknown): string {
  if (error instanceof Error) return "code" in error ? String(error.code) : error.name;
  return "unknown";
}
