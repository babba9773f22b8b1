import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { AuditEntryView } from "@/lib/events/audit/audit-resource";
import { AuditTable } from "./audit-table";

test("a moment in an entry is written as on every other page", () => {
  const entry: AuditEntryView = {
    id: "aud_1",
    position: 7,
    action: "shared_view.created",
    target: "view_1",
    actor: { type: "session", id: "ses_1" },
    client_address: "127.0.0.1",
    before: null,
    after: { expires_at: "2100-12-26T03:14:28.000Z" },
    created_at: "2100-11-26T03:14:28.000Z",
    hash: "0x01",
    previous_hash: "0x00",
  };
  const html = renderToStaticMarkup(<AuditTable entries={[entry]} broken={[]} session="ses_2" />);
  const text = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  expect(text).toContain("Expires at 26 Dec 2100, 03:14 UTC");
});
