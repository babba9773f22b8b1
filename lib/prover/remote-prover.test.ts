import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, createServer as createTlsServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from "vitest";
import { parseEnv } from "@/lib/env";
import { finishPlan } from "@/lib/ledger/prepare/plan";
import type { ProofResult } from "@/lib/ledger/prepare/witness";
import { parseProverEnv } from "@/lib/prover-env";
import { log } from "@/lib/telemetry/log";
import { program } from "@/scripts/stack/program";
import { transferPlan } from "@/test/prover/transfer-plan";
import { freePort } from "@/test/services/free-port";
import { secretOf } from "@/test/services/local-env";
import { createServerProver } from "./create-server-prover";
import { preferRemote } from "./prefer-remote";
import { PublicProver, privateAddresses } from "./private-addresses";
import { type CheckingProver, ProverBusy, ProverFailed } from "./prover";
import { RemoteProver } from "./remote-prover";
import { writeJob, writeProof } from "./remote-wire";
import { channelOf, RequestGate, signRequest } from "./request-signature";
import { requirePrivateProver } from "./require-private-prover";
import { createProverServer } from "./serve-prover";
import type { WorkerPool } from "./worker-pool";

// Test certificates, valid for a hundred years: one authority signed prover.pem (for a server) and server.pem (for a
// client).
const pem = (name: string) => readFileSync(`test/services/prover-tls/${name}.pem`, "utf8");
const { privateKey: signingKey, publicKey: signer } = generateKeyPairSync("ed25519");
const tls = { ca: pem("authority"), cert: pem("server"), key: pem("server-key") };
const ofProver = { ca: pem("authority"), cert: pem("prover"), key: pem("prover-key") };

/** The prover, started like `npm run prover`, and its output. */
let child: ChildProcess;
let port: number;
let written = "";
let local: WorkerPool;

beforeAll(async () => {
  port = await freePort();
  const env = {
    ...{ PATH: process.env.PATH, NODE_ENV: "production" as const, PORT: String(port), LOG_LEVEL: "trace" },
    ...{ PROVER_TLS_CA: ofProver.ca, PROVER_TLS_CERT: ofProver.cert, PROVER_TLS_KEY: ofProver.key },
    ...{ PROVER_SIGNER: String(signer.export({ type: "spki", format: "pem" })), PROVER_WORKERS: "1" },
    SHUTDOWN_NOTICE_SECONDS: "0",
  };
  child = spawn(process.execPath, [await program("lib/prover/prover-process.ts")], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const listening = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      written += chunk.toString();
      if (written.includes("prover listening")) resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", () => reject(new Error(written)));
  });
  await listening;
  local = await createServerProver({ workers: 1 });
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await local?.close();
  if (child?.exitCode === null) {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
});

const at = (prover: number) => `https://localhost:${prover}`;
const remoteAt = (prover: number, changes: Partial<ConstructorParameters<typeof RemoteProver>[0]> = {}) =>
  new RemoteProver({ url: at(prover), ...tls, signingKey, ...changes });

/** Sends a request with a valid certificate and custom headers. */
async function post(
  body: Buffer,
  headers: (socket: TLSSocket) => Record<string, string>,
  agent = new Agent({ ...tls, keepAlive: true, maxSockets: 1 }),
): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL("/prove", at(port)), { agent, method: "POST" });
    asked.once("socket", (socket: TLSSocket) => {
      const send = () => {
        for (const [name, value] of Object.entries(headers(socket))) asked.setHeader(name, value);
        asked.end(body);
      };
      if (asked.reusedSocket) send();
      else socket.once("secureConnect", send);
    });
    asked.once("error", reject);
    asked.once("response", (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
  });
}

const inHeaders = ({ time, nonce, signature }: ReturnType<typeof signRequest>) => ({
  "halcyon-time": time,
  "halcyon-nonce": nonce,
  "halcyon-signature": signature,
});

describe("a prover of its own", () => {
  it("makes the proof that the server's own prover takes for the planned payment", async () => {
    const { call, input } = await transferPlan();
    const remote = remoteAt(port);
    const proven = await remote.prove("transfer", input);
    expect(proven.publicSignals).toEqual(call.publicSignals);
    expect(await local.verify("transfer", proven.proof, call.publicSignals)).toBe(true);
    remote.close();
  });

  it("is believed by either of two authorities, while one replaces the other", async () => {
    const { input } = await transferPlan();
    const remote = remoteAt(port, { ca: `${pem("stranger")}${pem("authority")}` });
    await expect(remote.prove("transfer", input)).resolves.toBeDefined();
    remote.close();
  });

  it("serves no one without a certificate of the authority, and is not believed without one", async () => {
    const { input } = await transferPlan();
    const stranger = { cert: pem("stranger"), key: pem("stranger-key") };
    for (const changes of [stranger, { ca: pem("stranger") }, { cert: undefined, key: undefined }]) {
      const remote = remoteAt(port, changes as object);
      await expect(remote.prove("transfer", input)).rejects.toBeInstanceOf(ProverFailed);
      // No payment waits for a prover that can't be reached.
      expect(remote.isThere()).toBe(false);
      remote.close();
    }
  });

  it("does nothing that the server did not sign for this connection, now, and once", async () => {
    const { input } = await transferPlan();
    const body = writeJob({ circuit: "transfer", turn: "", input });
    const sign = (socket: TLSSocket, now?: number, key = signingKey) =>
      inHeaders(signRequest(key, channelOf(socket), body, now));
    const agent = new Agent({ ...tls, keepAlive: true, maxSockets: 1 });
    let sent: Record<string, string> = {};
    const once = (socket: TLSSocket) => {
      sent = sign(socket);
      return sent;
    };
    expect(await post(body, once, agent)).toBe(200);
    const other = generateKeyPairSync("ed25519").privateKey;
    const refused: [string, (socket: TLSSocket) => Record<string, string>, Agent?][] = [
      ["the same again", () => sent, agent],
      ["the same over another connection", () => sent],
      ["without a signature", () => ({})],
      ["signed by another", (socket) => sign(socket, Date.now(), other)],
      ["too old", (socket) => sign(socket, Date.now() - 60_000)],
      ["from the future", (socket) => sign(socket, Date.now() + 60_000)],
    ];
    for (const [name, headers, through] of refused) expect(await post(body, headers, through), name).toBe(401);
    const changed = Buffer.from(body.toString().replace("transfer", "release"));
    expect(await post(changed, (socket) => sign(socket))).toBe(401);
    agent.destroy();
  });

  it("refuses what is no job, and says no more than that", async () => {
    const send = (text: string) => {
      const body = Buffer.from(text);
      return post(body, (socket) => inHeaders(signRequest(signingKey, channelOf(socket), body)));
    };
    const bodies = [
      "",
      "{}",
      '{"circuit":"made-up","turn":"","input":{}}',
      '{"circuit":"transfer","turn":"","input":{"a":1}}',
    ];
    for (const body of bodies) expect(await send(body)).toBe(400);
    expect(await send('{"circuit":"transfer","turn":"","input":{}}')).toBe(422);
    await expect(send("x".repeat(300_000))).resolves.toBe(413);
  });

  it("writes nothing of what it proves", async () => {
    const { input } = await transferPlan();
    const remote = remoteAt(port);
    await remote.prove("transfer", input);
    const impossible = { ...input, oldSalt: 1234567890123456789n };
    await expect(remote.prove("transfer", impossible)).rejects.toBeInstanceOf(ProverFailed);
    remote.close();
    const values = Object.values(impossible).flat() as bigint[];
    const telling = values.filter((value) => value > 99_999n);
    expect(telling.length).toBeGreaterThan(3);
    for (const value of telling) {
      expect(written).not.toContain(String(value));
      expect(written.toLowerCase()).not.toContain(value.toString(16));
    }
    expect(written).toContain("a request without the server's signature was refused");
  });
});

/** Starts a prover with a valid certificate that returns arbitrary responses. */
async function lyingProver(lie: () => { status: number; body: string }) {
  const server = createTlsServer({ ...ofProver, requestCert: true, minVersion: "TLSv1.3" }, (asked, response) => {
    asked.resume();
    asked.once("end", () => {
      const { status, body } = lie();
      response.writeHead(status).end(body);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

describe("a server with provers elsewhere", () => {
  it("sends nothing that a lying prover returned, and asks it no more", async () => {
    vi.spyOn(log(), "error").mockReturnValue();
    const { call, input, ...plan } = await transferPlan();
    const good = await local.prove("transfer", input);
    const other = await transferPlan();
    const lies: [string, ProofResult][] = [
      ["a proof of nothing", { ...good, proof: `0x${"00".repeat(256)}` }],
      [
        "a proof of another payment",
        { ...(await local.prove("transfer", other.input)), publicSignals: good.publicSignals },
      ],
    ];
    for (const [name, lie] of lies) {
      const liar = await lyingProver(() => ({ status: 200, body: writeProof(lie) }));
      const remote = remoteAt(liar.port);
      const prover = preferRemote(remote, local);
      const proof = await prover.proveAndVerify("transfer", input, call.publicSignals);
      expect(await proof.verified, name).toBe(false);
      expect(remote.isThere(), name).toBe(false);
      // The local prover makes the next proof.
      const next = await prover.proveAndVerify("transfer", input, call.publicSignals);
      expect(await next.verified, name).toBe(true);
      remote.close();
      liar.stop();
    }
    const another = await local.prove("transfer", other.input);
    const liar = await lyingProver(() => ({ status: 200, body: writeProof(another) }));
    const remote = remoteAt(liar.port);
    const proof = await preferRemote(remote, local).proveAndVerify("transfer", input, call.publicSignals);
    // A valid proof of another payment. The local prover makes this one, and the remote prover is not used again for a
    // while.
    expect(finishPlan({ call, input, ...plan }, proof, "0x")).toBeDefined();
    expect(await proof.verified).toBe(true);
    expect(remote.isThere()).toBe(false);
    remote.close();
    liar.stop();
  });

  it.each([
    ["is full", () => ({ status: 503, body: "{}" }), ProverBusy],
    ["fails", () => ({ status: 500, body: "{}" }), ProverFailed],
    ["says that there is no proof", () => ({ status: 422, body: "{}" }), ProverFailed],
    ["returns something else", () => ({ status: 200, body: '{"proof":"0x","signals":[]}' }), ProverFailed],
    ["returns too much", () => ({ status: 200, body: "x".repeat(400_000) }), ProverFailed],
  ])("makes the proof itself where one %s", async (_, lie, error) => {
    vi.spyOn(log(), "warn").mockReturnValue();
    const { call, input } = await transferPlan();
    const other = await lyingProver(lie);
    const remote = remoteAt(other.port);
    await expect(remote.prove("transfer", input)).rejects.toBeInstanceOf(error);
    const anew = remoteAt(other.port);
    const proof = await preferRemote(anew, local).proveAndVerify("transfer", input, call.publicSignals);
    expect(await proof.verified).toBe(true);
    for (const one of [remote, anew]) one.close();
    other.stop();
  });

  it("waits for one that does not respond no longer than its patience, and then not at all for a while", async () => {
    vi.spyOn(log(), "warn").mockReturnValue();
    const { input } = await transferPlan();
    const silent = createTlsServer({ ...ofProver, minVersion: "TLSv1.3" }, () => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const remote = new RemoteProver(
      { url: at((silent.address() as AddressInfo).port), ...tls, signingKey },
      () => "",
      50,
    );
    await expect(remote.prove("transfer", input)).rejects.toBeInstanceOf(ProverFailed);
    expect(remote.isThere()).toBe(false);
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 20_000);
    expect(remote.isThere()).toBe(false);
    remote.close();
    silent.closeAllConnections();
    silent.close();
  });

  it("is refused by a prover whose queue is full, before it does harm", async () => {
    const full = { prove: () => Promise.reject(new ProverBusy()) } as unknown as CheckingProver;
    const server = createProverServer(full, { ...ofProver, signer }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const remote = remoteAt((server.address() as AddressInfo).port);
    await expect(remote.prove("transfer", (await transferPlan()).input)).rejects.toBeInstanceOf(ProverBusy);
    expect(remote.isThere()).toBe(true);
    remote.close();
    server.closeAllConnections();
    server.close();
  });
});

test("a nonce counts for as long as the time of its request would", () => {
  let now = 1_000_000;
  const gate = new RequestGate(signer, () => now);
  const [channel, body] = [Buffer.alloc(32, 1), Buffer.from("{}")];
  const ahead = signRequest(signingKey, channel, body, now + 29_000);
  expect(gate.admits(ahead, channel, body)).toBe(true);
  now += 58_000;
  expect(gate.admits(ahead, channel, body)).toBe(false);
  now += 5_000;
  expect(gate.admits(ahead, channel, body)).toBe(false);
});

describe("the start", () => {
  const complete = {
    DATABASE_URL: "postgres://app:pw@127.0.0.1:5432/app",
    RELAYER_SEED: secretOf("RELAYER_SEED"),
    SECRETS_KEY: secretOf("SECRETS_KEY"),
    RPC_URL_46630: "http://127.0.0.1:8545",
    RPC_URL_4663: "https://rpc.example",
    LEDGER_ADDRESS_46630: `0x${"ab".repeat(20)}`,
    LEDGER_ADDRESS_4663: `0x${"cd".repeat(20)}`,
    PROVER_TLS_CA: tls.ca,
    PROVER_TLS_CERT: tls.cert,
    PROVER_TLS_KEY: tls.key,
    PROVER_SIGNING_KEY: String(signingKey.export({ type: "pkcs8", format: "pem" })),
  };

  it.each([
    ["http://prover.internal:8443", /must begin with https/],
    ["https://user:pass@prover.internal:8443", /no user and no password/],
    ["https://8.8.8.8:8443", /public one/],
    ["https://[2001:4860:4860::8888]", /public one/],
    ["https://169.254.169.254", /public one/],
    ["https://prover.internal/path", /no path/],
    ["https://prover.internal/?q", /no path/],
    ["prover.internal", /must be an address/],
  ])("refuses PROVER_URL=%s", (url, why) => {
    expect(() => parseEnv({ ...complete, PROVER_URL: url })).toThrow(why);
    expect(() => parseEnv({ ...complete, PROVER_URL: url })).not.toThrow(/pass@/);
  });

  it("takes a private address or a name, with all of its keys, and none by default", () => {
    for (const url of ["https://10.1.2.3:8443", "https://[fd00::1]:8443", "https://halcyon-prover:8443"]) {
      expect(parseEnv({ ...complete, PROVER_URL: url }).prover?.url).toBe(url);
    }
    expect(parseEnv(complete).prover).toBeUndefined();
    const url = { PROVER_URL: "https://10.1.2.3:8443" };
    expect(() => parseEnv({ ...complete, ...url, PROVER_TLS_CERT: undefined })).toThrow(/PROVER_TLS_CERT/);
    expect(() => parseEnv({ ...complete, ...url, PROVER_SIGNING_KEY: tls.key })).toThrow(/Ed25519/);
  });

  it("refuses a name that stands for a public address, and a connection to one whose name changed since", async () => {
    await expect(requirePrivateProver("https://localhost:8443")).resolves.toBeUndefined();
    await expect(privateAddresses("1.1.1.1")).rejects.toBeInstanceOf(PublicProver);
    await expect(requirePrivateProver("https://1.1.1.1")).rejects.toThrow("in your own network");
    // The name does not resolve yet. Each connection checks again.
    vi.spyOn(log(), "warn").mockReturnValue();
    await expect(requirePrivateProver("https://prover.invalid")).resolves.toBeUndefined();
  });

  it("refuses a prover that was given a secret of the service, or not all of its own", () => {
    const own = {
      PROVER_TLS_CA: ofProver.ca,
      PROVER_TLS_CERT: ofProver.cert,
      PROVER_TLS_KEY: ofProver.key,
      PROVER_SIGNER: String(signer.export({ type: "spki", format: "pem" })),
    };
    expect(parseProverEnv(own).port).toBe(3000);
    for (const name of ["DATABASE_URL", "RELAYER_SEED_FILE", "SECRETS_KEY", "SERVER_PEPPER", "PROVER_SIGNING_KEY"]) {
      expect(() => parseProverEnv({ ...own, [name]: "x" })).toThrow(new RegExp(name.replace("_FILE", "")));
    }
    expect(() => parseProverEnv({ ...own, PROVER_SIGNER: undefined })).toThrow(/PROVER_SIGNER is not set/);
    expect(() => parseProverEnv({ ...own, PROVER_SIGNER: "x" })).toThrow(/PROVER_SIGNER must be PEM/);
  });
});

it("connects with TLS 1.3 alone", async () => {
  const socket = connect({ host: "127.0.0.1", port, servername: "localhost", ...tls, maxVersion: "TLSv1.2" });
  const [error] = await once(socket, "error").catch((thrown) => [thrown]);
  expect((error as NodeJS.ErrnoException).code).toMatch(/PROTOCOL/);
});
