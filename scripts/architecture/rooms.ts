import { readImports } from "./imports";

/** An import that does not point down: its file, and the file that it imports. */
export interface Upward {
  file: string;
  to: string;
}

/** A house whose folders are rooms. */
export type House = "lib" | "sdk" | "components";

/** The room of the files at a house's top. */
const TOP = "client";

/**
 * Reads the floors of a house from its drawing in docs/architecture.md.
 *
 * @returns the floor of each room, from 1
 * @throws if there is no drawing
 */
export function readFloors(document: string, house: House): Map<string, number> {
  const [, drawing] = new RegExp(`^### ${house}\\n+\`\`\`\\n([\\s\\S]*?)\`\`\``, "m").exec(document) ?? [];
  if (!drawing) throw new Error(`docs/architecture.md has no drawing of ${house}`);
  return new Map(
    drawing
      .trim()
      .split("\n")
      .flatMap((line) => {
        const [floor, ...rooms] = line.trim().split(/\s+/);
        return rooms.map((room): [string, number] => [room, Number(floor)]);
      }),
  );
}

/** Returns the room of a house's file; undefined for files elsewhere. */
export function roomOf(file: string, house: House): string | undefined {
  const [first, second, ...rest] = file.split("/");
  if (first !== house) return undefined;
  return rest.length > 0 ? second : TOP;
}

/** Returns the imports between rooms of a house that do not point to a lower floor. */
export function upwardImports(
  files: readonly string[],
  house: House,
  floors: ReadonlyMap<string, number>,
  read: (file: string) => readonly { to: string }[] = readImports,
): Upward[] {
  return files.flatMap((file) => {
    const from = roomOf(file, house);
    if (from === undefined) return [];
    return read(file).flatMap(({ to }) => {
      const room = roomOf(to, house);
      const isDown = room === undefined || room === from || (floors.get(room) ?? 0) < (floors.get(from) ?? 0);
      return isDown ? [] : [{ file, to }];
    });
  });
}
