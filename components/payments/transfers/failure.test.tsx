import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { TransferFailure } from "./failure";
import type { TransferDetailsResource } from "./transfer-details";

test.each(["sent", "received"])(
  "a %s transfer's page says failed as the service's word, and promises nothing",
  (direction) => {
    const transfer = { direction, timeline: { failure: "expired" } } as TransferDetailsResource;
    const text = renderToStaticMarkup(<TransferFailure transfer={transfer} />).replace(/<[^>]*>/g, " ");
    expect(text).toContain("The service says that this payment failed");
    expect(text).toContain("that is another payment");
    expect(text).not.toMatch(/can't both|can&#x27;t both|has to pay again/);
  },
);
