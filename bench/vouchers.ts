import { mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { decrypt, encrypt } from "@/lib/ledger/crypto/aead";
import { bigintToBytes, concat, fromHex, randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { closedLoop, type Measured } from "./measure";

const PRICE = 50_000n;
const CALLS = 2_000;

/*
 * A prototype to measure what a session of encrypted vouchers would cost; not part of the product. One payment opens a
 * session and is its deposit. Each call then presents the sum of all calls so far, signed by the session's key and
 * encrypted for the seller under a key that both derive from the payment's nonce. The seller keeps the newest voucher,
 * and is paid its sum at the end.
 */

/** 16-byte session, 12-byte place of the call, and the encrypted sum with its signature. */
class Buyer {
  readonly secret = secp256k1.utils.randomSecretKey();
  private sum = 0n;
  private calls = 0n;

  constructor(
    readonly session: Uint8Array,
    readonly key: Uint8Array,
  ) {}

  voucher(): string {
    this.sum += PRICE;
    this.calls += 1n;
    const plain = concat(bigintToBytes(this.sum, 8), bigintToBytes(this.calls, 8));
    const signature = secp256k1.sign(sha256(concat(this.session, plain)), this.secret, { prehash: false });
    return toHex(encrypt(this.key, this.session, concat(plain, signature)));
  }
}

/** What a seller knows about a session. */
interface Session {
  key: Uint8Array;
  publicKey: Uint8Array;
  deposit: bigint;
  sum: bigint;
  calls: bigint;
}

const numberOf = (bytes: Uint8Array) => BigInt(toHex(bytes));

/** Accepts a voucher if it is the next one of its session and pays this call. */
function take(session: Session, id: Uint8Array, voucher: string, keep: (line: string) => void): boolean {
  const opened = decrypt(session.key, id, fromHex(voucher), "voucher");
  const plain = opened.slice(0, 16);
  const [sum, calls] = [numberOf(plain.slice(0, 8)), numberOf(plain.slice(8))];
  const signed = secp256k1.verify(opened.slice(16), sha256(concat(id, plain)), session.publicKey, { prehash: false });
  if (!signed || calls !== session.calls + 1n || sum < session.sum + PRICE || sum > session.deposit) return false;
  Object.assign(session, { sum, calls });
  keep(`${toHex(id)} ${voucher}\n`);
  return true;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}

/**
 * Measures calls over HTTP, in sequence in one session and in 16 sessions at once. Each voucher is first written to a
 * file.
 */
export async function run(): Promise<Record<string, Measured>> {
  const folder = mkdtempSync(join(tmpdir(), "halcyon-vouchers-"));
  const file = openSync(join(folder, "vouchers"), "a");
  const keep = (line: string) => void writeSync(file, line);
  const buyers = Array.from({ length: 16 }, () => new Buyer(randomBytes(16), randomBytes(32)));
  const sessions = new Map<string, Session>();
  for (const { session, secret, key } of buyers) {
    const opened = { key, publicKey: secp256k1.getPublicKey(secret), deposit: PRICE * 1_000_000n, sum: 0n, calls: 0n };
    sessions.set(toHex(session), opened);
  }
  const server = createServer(async (request, response) => {
    const id = (request.url ?? "").slice(1);
    const session = sessions.get(id);
    const voucher = await bodyOf(request);
    const served = session !== undefined && take(session, fromHex(id), voucher, keep);
    response.writeHead(served ? 200 : 402).end(served ? "Your report" : "");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = async (worker: number) => {
    const buyer = buyers[worker];
    if (!buyer) throw new Error("more callers than sessions");
    const response = await fetch(`${url}/${toHex(buyer.session)}`, { method: "POST", body: buyer.voucher() });
    await response.text();
    if (response.status !== 200) throw new Error(`a voucher was answered ${response.status}`);
  };
  try {
    await closedLoop(1, 200, call);
    return { one_session: await closedLoop(1, CALLS, call), sixteen_sessions: await closedLoop(16, CALLS, call) };
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}
