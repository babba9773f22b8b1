#!/bin/sh
# Runs once, when PostgreSQL makes its database: the role of web and worker, which owns nothing. What it may is granted
# by `migrate`.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/postgres-app-password)" -U halcyon -d halcyon <<'SQL'
create role halcyon_app login password :'password';
SQL
