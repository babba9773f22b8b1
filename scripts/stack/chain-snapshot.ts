import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { writeFileDurably } from "./files";

/** The parts of anvil's state that are read here. The rest is kept unchanged. */
interface State {
  blocks: { header: { number: string; timestamp: string } }[];
}

const packed = (folder: string) => path.join(folder, "snapshot.json.gz");

/**
 * Replaces the snapshot in a chain's folder. It is stored as anvil packed it: unpacking takes seconds for a chain of
 * thousands of blocks, during which the chain's proxy would not respond.
 *
 * @param dump the result of `anvil_dumpState`: gzipped JSON, in hexadecimal
 */
export function writeSnapshot(folder: string, dump: string): void {
  writeFileDurably(packed(folder), Buffer.from(dump.slice(2), "hex"), 0o600);
}

/**
 * Unpacks the newest snapshot for anvil to load. After loading a state, anvil also keeps a genesis block of its own, and
 * dumps both; that one is left out.
 *
 * @param genesisTime Unix seconds of the chain's first block
 * @returns the file, which the caller removes; undefined if there is no snapshot, or it can't be unpacked (a full disk):
 *   the journal suffices
 */
export function unpackSnapshot(folder: string, genesisTime: number): string | undefined {
  const file = packed(folder);
  if (!existsSync(file)) return undefined;
  const unpacked = path.join(folder, "loading.json");
  try {
    const state = JSON.parse(gunzipSync(readFileSync(file)).toString()) as State;
    state.blocks = state.blocks.filter(
      ({ header }) => Number(header.number) !== 0 || Number(header.timestamp) === genesisTime,
    );
    writeFileSync(unpacked, JSON.stringify(state), { mode: 0o600 });
    return unpacked;
  } catch {
    rmSync(unpacked, { force: true });
    return undefined;
  }
}
