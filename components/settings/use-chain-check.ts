"use client";

import { useEffect, useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import type { AuditEntryView } from "@/lib/events/audit/audit-resource";
import type { AuditChain, BrokenEntry, CheckedEntries } from "@/lib/events/audit/check-entries";
import type { AuditListResponse } from "./audit-list-response";

const PAGE = 100;

/** The result of a check, and how far it reached. */
export interface ChainReport extends CheckedEntries {
  /** The oldest entry it reached; undefined if there are no entries. */
  oldest?: AuditEntryView;
  extent: "part" | "filtered" | "whole";
  /**
   * Whether the newest entry of this browser's last full check is still there unchanged. `left`: that entry is older
   * than the kept log, so this can't be checked. Undefined if nothing was noted.
   */
  note?: "held" | "contradicted" | "left";
}

/** The end of the chain as this browser last saw it. The service can't rewrite this note. */
interface Note {
  position: number;
  hash: string;
  at: string;
}

const noteName = ({ accountId, chainId }: AuditChain) => `halcyon.audit.${chainId}.${accountId}`;

function readNote(chain: AuditChain): Note | null {
  try {
    return JSON.parse(localStorage.getItem(noteName(chain)) ?? "null") as Note | null;
  } catch {
    return null;
  }
}

/**
 * Checks the entries on screen, in the browser, again whenever they change. Returns null until the check is done, and
 * without JavaScript.
 */
export function useShownCheck(
  chain: AuditChain,
  entries: readonly AuditEntryView[],
  extent: "part" | "filtered",
  keptFrom: number,
): ChainReport | null {
  const [report, setReport] = useState<ChainReport | null>(null);
  const { accountId, chainId } = chain;
  useEffect(() => {
    let wanted = true;
    void import("@/lib/events/audit/check-entries").then(({ checkEntries }) => {
      const checked = checkEntries({ accountId, chainId }, entries, extent, keptFrom);
      if (wanted) setReport({ ...checked, oldest: entries.at(-1), extent });
    });
    return () => {
      wanted = false;
    };
  }, [accountId, chainId, entries, extent, keptFrom]);
  return report;
}

/** The kept part of the log, newest first. */
export interface WholeLog {
  entries: AuditEntryView[];
  /** Position of the oldest entry that is kept. */
  keptFrom: number;
}

/** Returns a function that fetches the log page by page, newest first. Leaves out entries written in the meantime. */
export function useWholeLog(): (query?: Record<string, string>) => Promise<WholeLog> {
  const network = useNetwork();
  return async (query = {}) => {
    const all: AuditEntryView[] = [];
    for (;;) {
      const last = all.at(-1);
      const page = { ...query, limit: String(PAGE), ...(last ? { starting_after: last.id } : {}) };
      const { entries, has_more, kept_from } = await api(network).get<AuditListResponse>("/v1/audit-log", page);
      all.push(...entries);
      if (!has_more) return { entries: all, keptFrom: kept_from };
    }
  };
}

/**
 * Returns a broken entry if the note contradicts the log, which means that something was rewritten. Where the kept log
 * starts is only what the service says, so an entry right after the note must link to it.
 */
function contradicted(note: Note, { entries, keptFrom }: WholeLog): BrokenEntry | undefined {
  const at = (wanted: number) => entries.find(({ position }) => position === wanted);
  const now = at(note.position);
  const hash = now?.hash ?? (keptFrom === note.position + 1 ? at(keptFrom)?.previous_hash : undefined);
  if (hash === note.hash || (hash === undefined && hasLeft(note, keptFrom))) return undefined;
  return { id: now?.id ?? null, position: note.position, problem: "is not what this browser saw before" };
}

const hasLeft = (note: Note, keptFrom: number) => note.position < keptFrom;

/** Returns whether the log reaches back to the note or to the entry right after it. */
const reaches = (note: Note, { entries, keptFrom }: WholeLog) =>
  !hasLeft(note, keptFrom) || (keptFrom === note.position + 1 && entries.some(({ position }) => position === keptFrom));

/**
 * Gives up a note that nothing kept can be compared with, where a person says so. The next check notes the newest
 * entry, and does not say that it compared.
 */
export function beginAgain(chain: AuditChain): void {
  localStorage.removeItem(noteName(chain));
}

/**
 * Checks the whole chain back to its first kept entry, and that it still contains what this browser noted last time.
 * Notes the newest entry if nothing is wrong. If the log starts after the note it may be a different chain, so the old
 * note stays.
 */
export async function checkWhole(chain: AuditChain, log: WholeLog): Promise<ChainReport> {
  const { checkEntries } = await import("@/lib/events/audit/check-entries");
  const { entries, keptFrom } = log;
  const { verified, broken } = checkEntries(chain, entries, "whole", keptFrom);
  const noted = readNote(chain);
  const rewritten = noted ? contradicted(noted, log) : undefined;
  if (rewritten) broken.push(rewritten);
  const held = noted && reaches(noted, log) ? "held" : "left";
  const note = noted ? (rewritten ? "contradicted" : held) : undefined;
  const [newest] = entries;
  if (newest && broken.length === 0 && note !== "left") {
    const { position, hash } = newest;
    const at = new Date().toISOString();
    localStorage.setItem(noteName(chain), JSON.stringify({ position, hash, at } satisfies Note));
  }
  const oldest = entries.findLast(({ position }) => position >= keptFrom) ?? entries.at(-1);
  return { verified, broken, oldest, extent: "whole", note };
}
