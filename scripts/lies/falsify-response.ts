import type { Meddle } from "@/test/services/in-process-service";

/*
 * Lies about recorded responses. They are derived from what an honest service returned, so a new field is covered
 * without anyone adding it here.
 */

/** A response's body, and the request that it is for, without what differs between two runs. */
export interface Recorded {
  route: string;
  body: unknown;
  status: number;
}

type Path = readonly (string | number)[];

/**
 * Something that a dishonest service does. `place`: what it changes and how often that was changed before, the same in
 * every run, while names may hold values that differ.
 */
export type Lie = { name: string; place: string } & (
  | { kind: "field"; route: string; path: Path; to: unknown }
  /** Exchanges two values in all responses. */
  | { kind: "everywhere"; from: unknown; to: unknown }
  /** Replaces a response. `done`: the honest service has handled the request. */
  | { kind: "response"; route: string; status: number; body: unknown; done: boolean }
);

const REMOVED = Symbol("removed");

/** Returns a request's method, path and query, with a placeholder for each id, hash and time. */
export function routeOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  const query = [...searchParams].filter(([name]) => name !== "limit" && name !== "starting_after");
  const asked = query.map(([name, value]) => `${name}=${value}`).sort();
  const text = `${request.method} ${pathname}${asked.length > 0 ? `?${asked.join("&")}` : ""}`;
  return text
    .replace(/[a-z]+_[0-9A-HJKMNP-TV-Z]{26}/g, "{id}")
    .replace(/0x[0-9a-f]{40,}/gi, "{hex}")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "{time}");
}

/** Records what the honest service returns. */
export function recording(into: Recorded[]): Meddle {
  return async (request, honest) => {
    const response = await honest();
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    if (body !== undefined) into.push({ route: routeOf(request), body, status: response.status });
    return response;
  };
}

/** Returns what is at a path, and a function that sets it; undefined if the body has no such path. */
function setterOf(body: unknown, path: Path): ((value: unknown) => void) | undefined {
  let at = body;
  for (const part of path.slice(0, -1)) at = at instanceof Object ? Reflect.get(at, part) : undefined;
  const last = path.at(-1);
  if (!(at instanceof Object) || last === undefined || !(last in at)) return undefined;
  const holder = at;
  return (value) => {
    if (value === REMOVED) Reflect.deleteProperty(holder, last);
    else Reflect.set(holder, last, value);
  };
}

const isSame = (a: unknown, b: unknown) =>
  a === b || (typeof a === "string" && typeof b === "string" && a.toLowerCase() === b.toLowerCase());

function exchanged(value: unknown, from: unknown, to: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => exchanged(one, from, to));
  if (value instanceof Object) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, exchanged(one, from, to)]));
  }
  if (isSame(value, from)) return to;
  return isSame(value, to) ? from : value;
}

/** Returns a service that lies, and a function that reports whether it had an occasion to. */
export function lyingWith(lie: Lie): { meddle: Meddle; hasLied: () => boolean } {
  let hasLied = false;
  const meddle: Meddle = async (request, honest) => {
    const isHere = lie.kind === "everywhere" || lie.route === routeOf(request);
    if (!isHere) return honest();
    if (lie.kind === "response") {
      hasLied = true;
      if (lie.done) await honest();
      return Response.json(lie.body, { status: lie.status });
    }
    const response = await honest();
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    if (body === undefined) return response;
    const { status } = response;
    if (lie.kind === "everywhere") {
      const changed = exchanged(body, lie.from, lie.to);
      if (JSON.stringify(changed) === JSON.stringify(body)) return response;
      hasLied = true;
      return Response.json(changed, { status });
    }
    const set = setterOf(body, lie.path);
    if (!set) return response;
    set(lie.to);
    hasLied = true;
    return Response.json(body, { status });
  };
  return { meddle, hasLied: () => hasLied };
}

interface Leaf {
  route: string;
  path: Path;
  value: unknown;
}

/** Returns every value of a body with its path; of a long list the first and the last entry. */
function leavesOf({ route, body }: Recorded): Leaf[] {
  const walk = (value: unknown, path: Path): Leaf[] => {
    const here = path.length > 0 ? [{ route, path, value }] : [];
    if (Array.isArray(value)) {
      const ends = [...new Set([0, value.length - 1])].filter((at) => at >= 0);
      return [...here, ...ends.flatMap((at) => walk(value[at], [...path, at]))];
    }
    if (!(value instanceof Object)) return here;
    return [...here, ...Object.entries(value).flatMap(([key, one]) => walk(one, [...path, key]))];
  };
  return walk(body, []);
}

/** Names the form of a text, so that it can be replaced by another of the same form. */
function formOf(text: string): string {
  if (/^0x[0-9a-f]*$/i.test(text)) return `hex of ${text.length}`;
  if (/^[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$/.test(text)) return text.replace(/_.*/, "");
  if (/^\d{4}-\d\d-\d\d/.test(text)) return "time";
  if (/^-?\d+(\.\d+)?$/.test(text)) return "number";
  return /^@/.test(text) ? "handle" : "word";
}

function flipped(hex: string): string {
  const last = hex.at(-1) === "0" ? "1" : "0";
  return hex.length > 2 ? hex.slice(0, -1) + last : "0x00";
}

/** Returns other values that could stand in a field. */
function othersOf(value: unknown, key: string | number | undefined, all: readonly Leaf[]): unknown[] {
  if (Array.isArray(value)) return value.length > 0 ? [[]] : [];
  if (value instanceof Object) return [];
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [...new Set([value + 1, value * 1000, 0, value === 6 ? 9 : 6])];
  const texts = all.flatMap((leaf) => (typeof leaf.value === "string" ? [{ ...leaf, value: leaf.value }] : []));
  const beside = [...new Set(texts.filter(({ path }) => path.at(-1) === key).map((leaf) => leaf.value))];
  if (typeof value !== "string") return beside.slice(0, 1);
  const form = formOf(value);
  if (form === "number") return [`${value}000`, `${BigInt(value.replace(/\..*/, "")) + 1n}`, "0"];
  if (form === "time") return ["2020-01-01T00:00:00.000Z", "2100-01-01T00:00:00.000Z"];
  const alike = [...beside, ...texts.map((leaf) => leaf.value)].filter((text) => {
    return !isSame(text, value) && formOf(text) === form;
  });
  const [first] = alike;
  if (form.startsWith("hex")) return [...new Set([...(first ? [first] : []), flipped(value)])];
  if (key === "status") return ["pending", "confirmed", "failed"].filter((status) => status !== value);
  return [...new Set([...(first ? [first] : []), "other"])];
}

const ERRORS: readonly [number, string][] = [
  [400, "insufficient_balance"],
  [404, "not_found"],
  [409, "available_balance_changed"],
  [503, "unavailable"],
];

const error = (code: string) => ({ error: { code, message: "This is not true.", request_id: "req_none" } });

/**
 * Returns the lies that recorded responses give occasion for.
 *
 * @param older responses from an earlier time, of the same routes
 */
export function liesAbout(recorded: readonly Recorded[], older: readonly Recorded[]): Lie[] {
  const leaves = recorded.flatMap(leavesOf);
  const lies = new Map<string, Lie>();
  const add = (lie: Lie) => lies.set(lie.name, lies.get(lie.name) ?? lie);
  const shown = (value: unknown) => (value === REMOVED ? "missing" : JSON.stringify(value)?.slice(0, 70));
  for (const { route, path, value } of leaves) {
    const where = `${route} ${path.join(".")}`;
    const others = [...othersOf(value, path.at(-1), leaves), REMOVED, ...(value === null ? [] : [null])];
    for (const [n, to] of others.entries()) {
      if (to !== REMOVED && isSame(to, value)) continue;
      add({ kind: "field", name: `${where}: ${shown(to)}`, place: `${where} ${n}`, route, path, to });
    }
  }
  const seen = new Map<unknown, Set<string>>();
  for (const { route, path, value } of leaves) {
    if (typeof value !== "string" || value.length < 3) continue;
    seen.set(value, (seen.get(value) ?? new Set()).add(`${route} ${path.join(".")}`));
  }
  for (const [value, places] of seen) {
    if (places.size < 2) continue;
    const [where] = [...places].sort();
    for (const [n, to] of othersOf(value, undefined, leaves).entries()) {
      const name = `everywhere ${shown(value)}: ${shown(to)}`;
      add({ kind: "everywhere", name, place: `everywhere ${where} ${n}`, from: value, to });
    }
  }
  for (const { route, path, value } of leaves) {
    if (!Array.isArray(value) || value.length === 0) continue;
    const [first, ...rest] = value;
    const lists: [string, unknown[]][] = [
      ["its first entry missing", rest],
      ["its first entry twice", [first, first, ...rest]],
      ["in the other order", value.toReversed()],
    ];
    for (const [how, to] of rest.length > 0 ? lists : lists.slice(1, 2)) {
      const name = `${route} ${path.join(".")}: ${how}`;
      add({ kind: "field", name, place: name, route, path, to });
    }
  }
  // Entries of one list exchange a field, or all fields but it: a symbol with another's address, decimals and unit.
  for (const { route, path, value } of leaves) {
    if (!Array.isArray(value) || value.length < 2) continue;
    const [one, other] = value as [object, object];
    if (!(one instanceof Object && other instanceof Object)) continue;
    for (const key of Object.keys(one)) {
      const to = [
        { ...one, [key]: Reflect.get(other, key) },
        { ...other, [key]: Reflect.get(one, key) },
      ];
      const name = `${route} ${path.join(".")}: ${key} of the first two exchanged`;
      add({ kind: "field", name, place: name, route, path, to: [...to, ...value.slice(2)] });
    }
  }
  for (const { route } of recorded) {
    for (const [status, code] of ERRORS) {
      for (const done of route.startsWith("GET") ? [false] : [false, true]) {
        const name = `${route}: ${status} ${code}${done ? ", done all the same" : ""}`;
        add({ kind: "response", name, place: name, route, status, body: error(code), done });
      }
    }
  }
  for (const { route, body, status } of older) {
    if (!recorded.some((one) => one.route === route)) continue;
    const name = `${route}: an older response`;
    add({ kind: "response", name, place: name, route, status, body, done: false });
  }
  return [...lies.values()];
}
