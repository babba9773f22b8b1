/**
 * SQL for the new `earlier_attempts` of a delivery `d`, including its newest attempt. Use it wherever the columns of
 * the newest attempt change: before the next attempt, and where a delivery ends without one.
 */
export const ATTEMPTS_SO_FAR = `case when d.attempt = 0 then null
  when d.earlier_attempts @> jsonb_build_array(jsonb_build_object('attempt', d.attempt)) then d.earlier_attempts
  else coalesce(d.earlier_attempts, '[]') || jsonb_build_array(jsonb_build_object('attempt', d.attempt, 'url', d.url,
    'attempted_at', d.attempted_at, 'duration_ms', d.duration_ms, 'response_code', d.response_code,
    'response_body', d.response_body, 'error', d.error)) end`;
