import { createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { encryptPush } from "./encrypt-push";
import { pushServiceOf } from "./push-service-of";
import { vapidHeader, vapidPublicKey } from "./vapid";

const b = (text: string) => Buffer.from(text, "base64url");

test("the example of RFC 8291, appendix A, comes out as it stands there", () => {
  const body = encryptPush(
    "When I grow up, I want to be a watermelon",
    {
      p256dh: b("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
      auth: b("BTBZMqHH6r4Tts7J_aSIgg"),
    },
    { privateKey: b("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), salt: b("DGv6ra1nlYgDCS1FRnbzlw") },
  );
  expect(body.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("a token names the push service, the sender and an end within a day, and its signature is the installation's", () => {
  const privateKey = b("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw");
  const now = new Date("2026-11-25T12:00:00Z");
  const header = vapidHeader(privateKey, "https://push.example:8443/send/1", "mailto:ops@example.com", now);
  const [, head = "", claims = "", signature = "", k = ""] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  expect(JSON.parse(b(head).toString())).toEqual({ typ: "JWT", alg: "ES256" });
  expect(JSON.parse(b(claims).toString())).toEqual({
    aud: "https://push.example:8443",
    exp: now.getTime() / 1_000 + 43_200,
    sub: "mailto:ops@example.com",
  });
  expect(b(k)).toEqual(vapidPublicKey(privateKey));
  const [x, y] = [b(k).subarray(1, 33), b(k).subarray(33)].map((part) => part.toString("base64url"));
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const says = (text: string) => verify("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, b(signature));
  expect([says(`${head}.${claims}`), says(`${head}.${claims}x`)]).toEqual([true, false]);
});

test.each([
  ["https://fcm.googleapis.com/fcm/send/abc", "fcm.googleapis.com"],
  ["https://updates.push.services.mozilla.com/wpush/v2/abc", "updates.push.services.mozilla.com"],
  ["https://web.push.apple.com/abc", "web.push.apple.com"],
  ["https://wns2-par02p.notify.windows.com/w/?token=abc", "wns2-par02p.notify.windows.com"],
])("%s is a push service", (endpoint, service) => {
  expect(pushServiceOf(endpoint, false)).toBe(service);
});

test.each([
  "https://push.example.com/abc",
  "https://fcm.googleapis.com.example.com/abc",
  "https://example.com/fcm.googleapis.com",
  "https://fcm.googleapis.com:8443/abc",
  "https://user@fcm.googleapis.com/abc",
  "http://fcm.googleapis.com/abc",
  "https://a.b.notify.windows.com/abc",
  "https://notify.windows.com/abc",
  "http://localhost:8080/abc",
  "https://127.0.0.1/abc",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/abc",
  "ftp://fcm.googleapis.com/abc",
  "abc",
])("%s is none", (endpoint) => {
  expect(() => pushServiceOf(endpoint, false)).toThrow(expect.objectContaining({ code: "invalid_request" }));
});
