import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { NetworkProvider } from "@/components/api/network-context";
import { ToastProvider } from "@/components/ui/toast";
import { CONNECTION_MS } from "@/lib/ledger/prepare/consent";
import { Consent } from "./consent";

vi.mock("@/components/vault/vault-provider", () => ({ useVault: () => ({ run: vi.fn() }) }));

const shown = (handles: string[]) =>
  renderToStaticMarkup(
    <NetworkProvider network="test">
      <ToastProvider>
        <Consent
          agents={handles.map((handle) => ({ account_id: handle, handle, paused: false }))}
          application="Assistant"
          redirectUri="http://localhost:7777/done"
          destination={{ host: "localhost:7777", ownMachine: true }}
          scopes={["read", "pay"]}
          issuer="http://localhost:3000"
          strict={false}
          consent={{} as never}
          request={{} as never}
        />
      </ToastProvider>
    </NetworkProvider>,
  );

/** Returns the options of a select by its name, the chosen one first. */
function choices(markup: string, name: string): string[] {
  const [, options = ""] = new RegExp(`<select[^>]*name="${name}"[^>]*>(.*?)</select>`).exec(markup) ?? [];
  const all = [...options.matchAll(/<option([^>]*)>([^<]*)<\/option>/g)];
  const isChosen = ([, attributes = ""]: RegExpMatchArray) => attributes.includes("selected");
  return all.toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a))).map(([, , text = ""]) => text);
}

test("an application stays connected for as long as the person chooses, an hour unless they choose more", () => {
  expect(choices(shown(["@mira/bot"]), "lasts")).toEqual(["1 hour", "1 day", "30 days"]);
  const hour = 3_600_000;
  expect(CONNECTION_MS).toEqual({ "1 hour": hour, "1 day": 24 * hour, "30 days": 720 * hour });
});

test("the person names the one agent that an application acts for: none is chosen for them", () => {
  expect(choices(shown(["@mira/bot", "@mira/shop"]), "agent")).toEqual(["Choose an agent", "@mira/bot", "@mira/shop"]);
  expect(shown([])).toContain("You have no agent to connect it to.");
});
