import { describeUserAgent } from "./describe-user-agent";

/** A sign-in, as `GET /api/sessions` lists it. */
export interface ListedSession {
  session_id: string;
  user_agent: string | null;
  client_address: string | null;
  created_at: string;
  expires_at: string;
  current: boolean;
}

/** The sessions of one client at one IP address. A program that signs in on each run is thereby one row. */
export interface SessionGroup extends ReturnType<typeof describeUserAgent> {
  key: string;
  address: string | null;
  /** Newest first. */
  sessions: ListedSession[];
  /** When its newest session started. */
  since: string;
  /** When its last session ends. */
  ends: string;
}

/** Groups sessions by client and IP address, in their order. This browser's own session stays separate. */
export function groupSessions(sessions: readonly ListedSession[]): SessionGroup[] {
  const groups = new Map<string, SessionGroup>();
  for (const session of sessions) {
    const { session_id, user_agent, client_address: address, created_at, expires_at, current } = session;
    const key = current ? session_id : `${user_agent} ${address}`;
    const group = groups.get(key);
    if (group) {
      group.sessions.push(session);
      if (created_at > group.since) group.since = created_at;
      if (expires_at > group.ends) group.ends = expires_at;
    } else {
      const times = { since: created_at, ends: expires_at };
      groups.set(key, { key, ...describeUserAgent(user_agent), address, sessions: [session], ...times });
    }
  }
  return [...groups.values()];
}
