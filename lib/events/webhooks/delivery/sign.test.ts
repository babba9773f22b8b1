import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { newSecret } from "@/lib/events/webhooks/secrets";
import { signatureHeaders } from "./sign";

const body = '{"event":"transfer.confirmed","event_id":"evt_1"}';

test("X-Service-Signature is the hex HMAC-SHA256 of the body, keyed with the whole secret string", () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const headers = signatureHeaders(body, "evt_1", new Date(0), [secret]);
  // printf '%s' "$body" | openssl dgst -sha256 -hmac "$secret"
  expect(headers["x-service-signature"]).toBe("ddc50926c5df2201bcca5e23deb9ebe0599e69e36d1c84df6eab69a00d4261c2");
  expect(headers["x-service-signature-previous"]).toBeUndefined();
});

test("the Standard Webhooks library accepts the headers, with either secret during a rotation, and no other", () => {
  const [secret, previous] = [newSecret(), newSecret()];
  const alone = signatureHeaders(body, "evt_1", new Date(), [secret]);
  const both = signatureHeaders(body, "evt_1", new Date(), [secret, previous]);
  expect(new Webhook(secret).verify(body, alone)).toEqual(JSON.parse(body));
  expect(new Webhook(secret).verify(body, both)).toEqual(JSON.parse(body));
  expect(new Webhook(previous).verify(body, both)).toEqual(JSON.parse(body));
  expect(() => new Webhook(previous).verify(body, alone)).toThrow();
  expect(() => new Webhook(newSecret()).verify(body, both)).toThrow();
  expect(() => new Webhook(secret).verify(`${body} `, both)).toThrow();
  expect(() => new Webhook(secret).verify(body, { ...both, "webhook-id": "evt_2" })).toThrow();
});
