import { readImports } from "./imports";

/** An import that does not point down: its file, and the file that it imports. */
export interface Upward {
  file: string;
  to: string;
}

/**
 * Reads the floors of `lib` from the drawing in docs/architecture.md.
 *
 * @returns the floor of each room, from 1
 * @throws if there is no drawing
 */
export function readFloors(document: string): Map<string, number> {
  const [, drawing] = /^## Rooms\n[\s\S]*?```\n([\s\S]*?)```/m.exec(document) ?? [];
  if (!drawing) throw new Error("docs/architecture.md has no drawing of the rooms");
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

/** Returns the room of a file of `lib`; undefined for files elsewhere. */
export const roomOf = (file: string): string | undefined => /^lib\/([^/]+)\//.exec(file)?.[1];

/** Returns the imports between rooms that do not point to a lower floor. */
export function upwardImports(
  files: readonly string[],
  floors: ReadonlyMap<string, number>,
  read: (file: string) => readonly { to: string }[] = readImports,
): Upward[] {
  return files.flatMap((file) => {
    const from = roomOf(file);
    if (from === undefined) return [];
    return read(file).flatMap(({ to }) => {
      const room = roomOf(to);
      const isDown = room === undefined || room === from || (floors.get(room) ?? 0) < (floors.get(from) ?? 0);
      return isDown ? [] : [{ file, to }];
    });
  });
}
