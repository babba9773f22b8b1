import { expect, it } from "vitest";
import { signatureHeaders } from "@/lib/events/webhooks/delivery/sign";
import { isSigned } from "./deliveries";

const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(32, ".")).toString("base64")}`;
const [own, next, other] = [secretOf("own"), secretOf("next"), secretOf("other")] as const;
const body = JSON.stringify({ event: "transfer.confirmed", event_id: "evt_1" });
const at = new Date(Date.UTC(2027, 2, 1));
const by = (secret: string) => signatureHeaders(body, "evt_1", at, [secret]);

it("a delivery counts as signed if both of its signatures are by secrets of its endpoint, whenever it came", () => {
  expect(isSigned({ headers: by(own), body }, [own])).toBe(true);
  expect(isSigned({ headers: by(next), body }, [own, next])).toBe(true);
});

it("and not if either is by another secret, of another body, or missing", () => {
  expect(isSigned({ headers: by(other), body }, [own])).toBe(false);
  const mixed = (name: string) => ({ ...by(own), [name]: by(other)[name] });
  expect(isSigned({ headers: mixed("x-service-signature"), body }, [own])).toBe(false);
  expect(isSigned({ headers: mixed("webhook-signature"), body }, [own])).toBe(false);
  expect(isSigned({ headers: by(own), body: `${body} ` }, [own])).toBe(false);
  for (const name of ["x-service-signature", "webhook-signature"]) {
    const { [name]: _, ...headers } = by(own);
    expect(isSigned({ headers, body }, [own])).toBe(false);
  }
});
