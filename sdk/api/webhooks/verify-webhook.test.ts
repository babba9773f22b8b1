import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { signatureHeaders } from "@/lib/events/webhooks/delivery/sign";
import { HalcyonError } from "../errors";
import { InvalidWebhook, verifyWebhook } from "./verify-webhook";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const ID = "evt_01KADJ2C9B3T6Y0V8ZQ4N5M7WX";
const BODY = JSON.stringify({ event: "transfer.confirmed", event_id: ID, counterparty: "@zoë" });
const NOW = new Date("2026-11-21T02:07:36.900Z");
const sent = (secrets: readonly [string, string?] = [SECRET], body = BODY, at = NOW) =>
  signatureHeaders(body, ID, at, secrets);
const only = (headers: Record<string, string>, family: string) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(family)));
const reason = (...args: Parameters<typeof verifyWebhook>) => {
  try {
    verifyWebhook(...args);
  } catch (error) {
    if (error instanceof InvalidWebhook) return error.reason;
    throw error;
  }
  return "accepted";
};

describe.each(["webhook-", "x-service-"])("deliveries with %s headers", (family) => {
  const at = (headers: Record<string, string>) => only(headers, family);

  test("are accepted as text, as bytes, in Headers, in Node's record and in any case", () => {
    const headers = at(sent());
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const body of [BODY, new TextEncoder().encode(BODY)]) {
      for (const given of [headers, new Headers(headers), upper]) {
        expect(verifyWebhook(body, given, SECRET, { now: NOW })).toEqual(JSON.parse(BODY));
      }
    }
  });

  test("are accepted by holders of the new and of the previous secret alike, and by no one else", () => {
    const headers = at(sent([OTHER, SECRET]));
    expect(reason(BODY, headers, SECRET, { now: NOW })).toBe("accepted");
    expect(reason(BODY, headers, OTHER, { now: NOW })).toBe("accepted");
    expect(reason(BODY, headers, `whsec_${Buffer.alloc(32, 9).toString("base64")}`, { now: NOW })).toBe(
      "signature_mismatch",
    );
  });

  test("are refused after any change of a byte of body or signature", () => {
    const headers = at(sent());
    for (let i = 0; i < BODY.length; i++) {
      const changed = `${BODY.slice(0, i)}${BODY[i] === "x" ? "y" : "x"}${BODY.slice(i + 1)}`;
      expect(reason(changed, headers, SECRET, { now: NOW })).toBe("signature_mismatch");
    }
    const name = family === "webhook-" ? "webhook-signature" : "x-service-signature";
    const signature = headers[name] ?? "";
    for (const changed of ["", " ", signature.slice(1), `${signature}0`, signature.toUpperCase()]) {
      expect(reason(BODY, { ...headers, [name]: changed }, SECRET, { now: NOW })).toBe("signature_mismatch");
    }
  });

  test("are refused when signed but no event", () => {
    for (const body of ["", "null", "[]", "{}", "{", '{"event":1,"event_id":"x"}']) {
      expect(reason(body, at(sent([SECRET], body)), SECRET, { now: NOW })).toBe("payload_invalid");
    }
  });
});

test("a delivery is believed for five minutes around the time it was sent, or as long as one says", () => {
  const at = (seconds: number, toleranceSeconds?: number) =>
    reason(BODY, sent(), SECRET, { now: new Date(NOW.getTime() + seconds * 1000), toleranceSeconds });
  expect([at(299), at(-299), at(60, 61)]).toEqual(["accepted", "accepted", "accepted"]);
  for (const late of [at(301), at(-301), at(62, 61)]) expect(late).toBe("timestamp_outside_tolerance");
});

test("the time and the id are signed; a wrong own signature does not matter beside the standard one, but not the reverse", () => {
  const headers = sent();
  const soon = String(Number(headers["webhook-timestamp"]) + 1);
  expect(reason(BODY, { ...headers, "webhook-timestamp": soon }, SECRET, { now: NOW })).toBe("signature_mismatch");
  expect(reason(BODY, { ...headers, "webhook-id": "evt_2" }, SECRET, { now: NOW })).toBe("signature_mismatch");
  expect(reason(BODY, { ...headers, "webhook-signature": "v1,AAAA" }, SECRET, { now: NOW })).toBe("signature_mismatch");
  for (const timestamp of ["", "soon", "NaN", "Infinity"]) {
    const key = Buffer.from(SECRET.slice(6), "base64");
    const mac = createHmac("sha256", key).update(`${ID}.${timestamp}.${BODY}`).digest("base64");
    const forged = { "webhook-id": ID, "webhook-timestamp": timestamp, "webhook-signature": `v1,${mac}` };
    expect(reason(BODY, forged, SECRET, { now: NOW })).toBe("timestamp_outside_tolerance");
  }
});

test("a request without signatures is refused, and a secret that is none is a mistake of the receiver's", () => {
  expect(reason(BODY, {}, SECRET)).toBe("signature_missing");
  expect(reason(BODY, { "webhook-signature": "v1,x" }, SECRET)).toBe("signature_missing");
  for (const secret of ["", "whsec_", "whsec_!", SECRET.slice(6)]) {
    expect(() => verifyWebhook(BODY, sent(), secret)).toThrow(HalcyonError);
  }
});

test("the standardwebhooks package and this one accept each other's signatures", () => {
  const now = new Date();
  const theirs = new Webhook(SECRET);
  const headers = {
    "webhook-id": ID,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": theirs.sign(ID, now, BODY),
  };
  expect(verifyWebhook(BODY, headers, SECRET)).toEqual(JSON.parse(BODY));
  for (const secrets of [[SECRET], [OTHER, SECRET]] as const) {
    expect(theirs.verify(BODY, sent(secrets, BODY, now))).toEqual(JSON.parse(BODY));
  }
  expect(() => theirs.verify(`${BODY} `, sent([SECRET], BODY, now))).toThrow();
});
