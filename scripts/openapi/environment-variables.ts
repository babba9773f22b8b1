import { readFileSync } from "node:fs";
import path from "node:path";
import type { z } from "zod";
import { Variables } from "@/lib/base/env-variables";
import { KmsVariables } from "@/lib/base/kms-env";
import { ROOT } from "./load";

/** The document of all environment variables. */
export const CONFIGURATION = path.join(ROOT, "docs", "configuration.md");

/** The variables that the document takes from their declarations; what else is in its tables is written there. */
export const DECLARED: Readonly<Record<string, z.ZodType>> = { ...Variables.shape, ...KmsVariables.shape };

const ROW = /^\| (`[A-Z].*?`) \| (.*?) \| (.*) \|$/gm;
const NAME = /[A-Z][A-Z0-9_]+/g;

/** Returns the names in each row of the document's tables. */
export function listedIn(document: string): string[][] {
  return [...document.matchAll(ROW)].map(([, names = ""]) => names.match(NAME) ?? []);
}

/**
 * Returns the document with what the declarations say of each variable. Its tables and the order of their rows stay.
 *
 * @throws Error for a row of declared variables about which none of them says anything
 */
export function describeVariables(document: string): string {
  return document.replace(ROW, (row, names: string, _default: string, third: string, at: number) => {
    const types = (names.match(NAME) ?? []).map((name) => DECLARED[name]);
    if (types.some((type) => type === undefined)) return row;
    const meta = types.map((type) => type?.meta()).find((one) => one?.sets !== undefined);
    if (!meta) throw new Error(`No declaration says what ${names} sets (lib/base/env-variables.ts)`);
    // The table of secrets has no defaults, and says who reads each.
    const head = document.slice(document.lastIndexOf("\n| variable |", at)).split("\n", 2)[1] ?? "";
    if (!head.includes("| default |")) return `| ${names} | ${meta.sets} | ${third} |`;
    const defaults = types.map((type) => defaultOf(type));
    const standard = meta.standard ?? (new Set(defaults).size === 1 ? defaults[0] : defaults.join(", "));
    return `| ${names} | ${standard} | ${meta.sets} |`;
  });
}

/** Returns a variable's default as the document shows it. */
function defaultOf(type: z.ZodType | undefined): string {
  const value = type?.safeParse(undefined).data;
  if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) return "none";
  if (typeof value === "number") return value.toLocaleString("en-US");
  const text = String(value);
  return text.startsWith("https://") ? `\`${text}\`` : text;
}

/** Returns the document as the declarations make it. */
export function configurationDocument(): string {
  return describeVariables(readFileSync(CONFIGURATION, "utf8"));
}
