import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyCommand, halcyon } from "@/test/sdk/command-line";

const folder = mkdtempSync(join(tmpdir(), "halcyon-completion-"));
const hasZsh = spawnSync("zsh", ["--version"]).status === 0;
const hasFish = spawnSync("fish", ["--version"]).status === 0;

beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { status, out } = await halcyon("completion", shell);
    expect(status).toBe(0);
    writeFileSync(join(folder, shell), out);
  }
  // Stands in for the real program. The scripts run no other command of it.
  const program = join(folder, "halcyon");
  writeFileSync(program, '#!/bin/sh\n[ "$*" = "profiles list --names" ] && printf "alice\\nbusiness\\n"\n');
  chmodSync(program, 0o755);
  writeFileSync(join(folder, "alice.key"), "");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns what bash offers for the last word. */
function offered(...words: string[]): string[] {
  const script = `source ./bash
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_halcyon
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", script, "bash", join(folder, "halcyon"), ...words], {
    cwd: folder,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}

describe("completion in bash", () => {
  it.each(everyCommand().commands)("offers all that can follow `halcyon %s`", (path, command) => {
    const words = path === "" ? [] : path.split(" ");
    const [argument] = command.registeredArguments;
    if (command.commands.length > 0) expect(offered(...words, "")).toEqual(command.commands.map((each) => each.name()));
    else if (!argument) expect(offered(...words, "")).toEqual([]);
    const flags = offered(...words, "--");
    expect(flags).toEqual(expect.arrayContaining([...command.options.map(({ long }) => long), "--json", "--profile"]));
  });

  it("finishes a word that has begun", () => {
    expect(offered("w")).toEqual(["wallet", "whoami", "withdraw", "webhooks"]);
    expect(offered("keys", "re")).toEqual(["revoke"]);
    expect(offered("send", "--am")).toEqual(["--amount"]);
  });

  it("offers the values of an option: choices, files, and the names of profiles", () => {
    expect(offered("send", "--network", "")).toEqual(["test", "live"]);
    expect(offered("--network", "=", "l")).toEqual(["live"]);
    expect(offered("webhooks", "deliveries", "--status", "e")).toEqual(["exhausted"]);
    expect(offered("--profile", "a")).toEqual(["alice"]);
    expect(offered("profiles", "use", "")).toEqual(["alice", "business"]);
    expect(offered("--wallet-key-file", "al")).toEqual(["alice.key"]);
    expect(offered("send", "--to", "")).toEqual([]);
    expect(offered("completion", "")).toEqual(["bash", "zsh", "fish"]);
  });

  it("takes no option's value for a command", () => {
    expect(offered("--profile", "send", "keys", "c")).toEqual(["create"]);
    expect(offered("send", "--memo", "keys", "--cli")).toEqual(["--client-signed"]);
  });
});

describe("completion in zsh", () => {
  it("knows every command and option, and defines itself for halcyon", async () => {
    const { out } = await halcyon("completion", "zsh");
    expect(out).toMatch(/^#compdef halcyon\n/);
    for (const [path, command] of everyCommand().commands) {
      expect(out).toContain(`    '${path}')`);
      for (const { long } of command.options) expect(out).toContain(`'${long}:`);
    }
  });

  it.runIf(hasZsh)("is a script zsh takes, whose tables complete as in bash", () => {
    const script = `compdef() { :; }; source ./zsh
_halcyon_walk keys create --label; print -r -- "$command|$pending"
_halcyon_walk --profile send keys; print -r -- "$command|$names"
_halcyon_walk webhooks deliveries --status; _halcyon_kind "$pending"; print -r -- "$kind"`;
    const { stdout, stderr } = spawnSync("zsh", ["-f", "-c", script], { cwd: folder, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual([
      "keys create|--label",
      "keys|create list revoke",
      "words:pending succeeded failed exhausted",
      "",
    ]);
  });
});

describe("completion in fish", () => {
  it("has a line for every command and option, and knows which options take a value", async () => {
    const { out } = await halcyon("completion", "fish");
    const { commands, program } = everyCommand();
    const ofAll = new Set(program.options.map(({ long }) => long));
    for (const [path, command] of commands) {
      const at = `complete -c halcyon -n '__halcyon_at \\'${path}\\''`;
      for (const each of command.commands) expect(out).toContain(`${at} -a '${each.name()}' -d '`);
      for (const { long } of command.options) {
        const condition = ofAll.has(long) ? "complete -c halcyon" : at;
        expect(out).toContain(`${condition} -l ${long?.slice(2)}`);
      }
      const [, valued] = out.split(`case '${path}'\n`);
      const wants = command.options.filter(({ required }) => required).map(({ long }) => long);
      for (const long of wants) expect(valued?.split("\n")[0]).toContain(`'${long}'`);
    }
  });

  it.runIf(hasFish)("offers what bash offers", () => {
    const complete = (line: string) => {
      const script = `source ./fish; complete -C ${JSON.stringify(`${join(folder, "halcyon")} ${line}`)}`;
      const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", script], { cwd: folder, encoding: "utf8" });
      expect(stderr).toBe("");
      return stdout.split("\n").flatMap((each) => each.split("\t")[0] || []);
    };
    expect(complete("keys re")).toEqual(["revoke"]);
    expect(complete("send --am")).toEqual(["--amount"]);
    expect(complete("send --network ")).toEqual(["live", "test"]);
    expect(complete("webhooks deliveries --status e")).toEqual(["exhausted"]);
    expect(complete("--profile a")).toEqual(["alice"]);
    expect(complete("profiles use ")).toEqual(["alice", "business"]);
    expect(complete("--wallet-key-file al")).toEqual(["alice.key"]);
    expect(complete("send --to ")).toEqual([]);
    expect(complete("--profile send keys c")).toEqual(["create"]);
    expect(complete("send --memo keys --cli")).toEqual(["--client-signed"]);
  });
});
