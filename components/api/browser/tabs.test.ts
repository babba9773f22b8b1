import { expect, test } from "vitest";
import { hearTabs, notifyTabs, type TabMessage } from "./tabs";

test("a message reaches the other tabs once, and this tab once and only if it asks for that", async () => {
  const other = new BroadcastChannel("halcyon.vault");
  const elsewhere: TabMessage[] = [];
  const heard: TabMessage[] = [];
  let last = () => {};
  const replied = new Promise<void>((resolve) => {
    last = resolve;
  });
  // A channel gets messages in the order they were sent, so after this reply nothing sent before is on its way.
  other.onmessage = ({ data }) => {
    elsewhere.push(data);
    if (data.kind === "signed-out") other.postMessage({ kind: "signed-in", address: "0x1" });
  };
  const leave = hearTabs((message) => {
    heard.push(message);
    if (message.kind === "signed-in") last();
  });
  notifyTabs({ kind: "lock" });
  notifyTabs({ kind: "signed-out" }, { here: true });
  expect(heard).toEqual([{ kind: "signed-out" }]);
  await replied;
  expect(elsewhere).toEqual([{ kind: "lock" }, { kind: "signed-out" }]);
  expect(heard).toEqual([{ kind: "signed-out" }, { kind: "signed-in", address: "0x1" }]);
  leave();
  other.close();
});
