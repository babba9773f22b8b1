import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  generateKeyPairSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { secp256k1 } from "@noble/curves/secp256k1.js";

/*
 * AWS KMS by its API reference (https://docs.aws.amazon.com/kms/latest/APIReference): Decrypt, Sign and GetPublicKey,
 * for requests signed with SigV4. Keys and signatures are real; a high s is as likely as at AWS.
 */

export const ACCESS_KEY = { id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", token: "session" };
const REGION = "eu-central-1";
/** The prefix of SubjectPublicKeyInfo (RFC 5480). */
const SPKI = Buffer.from("3056301006072a8648ce3d020106052b8104000a034200", "hex");

const sha = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();

/**
 * Returns whether a request's SigV4 signature is valid
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
 */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/kms\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/;
  const [, id, day = "", region = "", names = "", signature = ""] =
    pattern.exec(request.headers.authorization ?? "") ?? [];
  const time = String(request.headers["x-amz-date"] ?? "");
  const signed = names.split(";");
  const needed = ["host", "x-amz-date", "x-amz-target", "x-amz-security-token"];
  if (
    id !== ACCESS_KEY.id ||
    region !== REGION ||
    !time.startsWith(day) ||
    !needed.every((one) => signed.includes(one))
  ) {
    return false;
  }
  const headers = signed.map((name) => `${name}:${String(request.headers[name] ?? "").trim()}\n`).join("");
  const canonical = [request.method, request.url, "", headers, names, sha(body)].join("\n");
  const scope = `${day}/${region}/kms/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, sha(canonical)].join("\n");
  const key = ["kms", "aws4_request"].reduce(
    hmac as (key: Buffer, part: string) => Buffer,
    hmac(hmac(`AWS4${ACCESS_KEY.secret}`, day), region),
  );
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, "hex"));
}

/** A running double. */
export interface KmsDouble {
  url: string;
  /** Settings that lead a process to it. */
  env: Record<string, string>;
  /** Does what `aws kms encrypt --encryption-context halcyon=NAME` does. */
  encrypt(name: string, plaintext: string): string;
  /** The requested actions, in order. */
  calls: string[];
  /** Called before each response. Throws to refuse, with the error code as its message. */
  before: (action: string) => Promise<void> | void;
  stop(): void;
}

export async function startKms(keyId: string): Promise<KmsDouble> {
  const [wrapping, secret] = [randomBytes(32), secp256k1.utils.randomSecretKey()];
  const other = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).publicKey.export({
    type: "spki",
    format: "der",
  });
  const contextOf = (context: unknown) => Buffer.from(JSON.stringify(context ?? {}));
  const refusal = (code: string) => Object.assign(new Error(code), { code });
  const actions: Record<string, (body: Record<string, unknown>) => object> = {
    Decrypt({ CiphertextBlob, EncryptionContext }) {
      const blob = Buffer.from(String(CiphertextBlob), "base64");
      try {
        const cipher = createDecipheriv("aes-256-gcm", wrapping, blob.subarray(0, 12));
        cipher.setAAD(contextOf(EncryptionContext)).setAuthTag(blob.subarray(12, 28));
        const plain = Buffer.concat([cipher.update(blob.subarray(28)), cipher.final()]);
        return {
          Plaintext: plain.toString("base64"),
          KeyId: "arn:aws:kms:wrapping",
          EncryptionAlgorithm: "SYMMETRIC_DEFAULT",
        };
      } catch {
        throw refusal("InvalidCiphertextException");
      }
    },
    GetPublicKey({ KeyId }) {
      if (KeyId === "of-another-curve") {
        return { KeyId, KeySpec: "ECC_NIST_P256", PublicKey: other.toString("base64") };
      }
      if (KeyId !== keyId) throw refusal("NotFoundException");
      const key = Buffer.concat([SPKI, secp256k1.getPublicKey(secret, false)]);
      return { KeyId, KeySpec: "ECC_SECG_P256K1", KeyUsage: "SIGN_VERIFY", PublicKey: key.toString("base64") };
    },
    Sign({ KeyId, Message, MessageType, SigningAlgorithm }) {
      if (KeyId !== keyId) throw refusal("NotFoundException");
      const digest = Buffer.from(String(Message), "base64");
      const isValid = MessageType === "DIGEST" && SigningAlgorithm === "ECDSA_SHA_256" && digest.length === 32;
      if (!isValid) throw refusal("ValidationException");
      const { r, s } = secp256k1.Signature.fromBytes(
        secp256k1.sign(digest, secret, { prehash: false, extraEntropy: true }),
      );
      const high = randomBytes(1).readUInt8() % 2 === 0 ? secp256k1.Point.Fn.ORDER - s : s;
      const der = new secp256k1.Signature(r, high).toBytes("der");
      return { KeyId, Signature: Buffer.from(der).toString("base64"), SigningAlgorithm };
    },
  };
  const double = { calls: [] as string[], before: () => {} } as unknown as KmsDouble;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const respond = (status: number, value: object) => {
      response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(value));
    };
    const action = String(request.headers["x-amz-target"] ?? "").replace(/^TrentService\./, "");
    if (!isSigned(request, body)) return respond(400, { __type: "InvalidSignatureException", message: "not signed" });
    double.calls.push(action);
    try {
      await double.before(action);
      const handler = actions[action];
      if (!handler) throw refusal("UnknownOperationException");
      respond(200, handler(JSON.parse(body.toString()) as Record<string, unknown>));
    } catch (error) {
      respond(400, { __type: (error as Error).message, message: "refused" });
    }
  };
  // A client that gives up goes away in the middle of a request.
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(double, {
    url,
    env: {
      ...{ AWS_REGION: REGION, AWS_KMS_URL: url, AWS_ACCESS_KEY_ID: ACCESS_KEY.id },
      ...{ AWS_SECRET_ACCESS_KEY: ACCESS_KEY.secret, AWS_SESSION_TOKEN: ACCESS_KEY.token },
    },
    encrypt(name: string, plaintext: string) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", wrapping, iv).setAAD(contextOf({ halcyon: name }));
      const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64");
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  });
}
