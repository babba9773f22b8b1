import { createECDH, createPrivateKey, sign } from "node:crypto";

/**
 * A push service accepts a token for at most a day (RFC 8292, section 2). Half of that leaves room for clock
 * differences.
 */
const TOKEN_SECONDS = 12 * 3_600;

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");

/** Returns the public half of `VAPID_PRIVATE_KEY`, 65 bytes. Browsers bind a subscription to it. */
export function vapidPublicKey(privateKey: Uint8Array): Buffer {
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(privateKey);
  return ecdh.getPublicKey();
}

/**
 * Returns the `Authorization` header of a push request: a JWT that identifies the sender (RFC 8292).
 *
 * @param endpoint the token is valid for this endpoint's origin
 * @param contact a `mailto:` or `https:` address at which the push service can contact the operator
 */
export function vapidHeader(privateKey: Uint8Array, endpoint: string, contact: string, now: Date): string {
  const publicKey = vapidPublicKey(privateKey);
  const jwk = {
    kty: "EC",
    crv: "P-256",
    d: base64url(privateKey),
    x: base64url(publicKey.subarray(1, 33)),
    y: base64url(publicKey.subarray(33)),
  };
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1_000) + TOKEN_SECONDS,
    sub: contact,
  };
  const unsigned = `${base64url(JSON.stringify({ typ: "JWT", alg: "ES256" }))}.${base64url(JSON.stringify(claims))}`;
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  const signature = sign("sha256", Buffer.from(unsigned), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${unsigned}.${base64url(signature)}, k=${base64url(publicKey)}`;
}
