# The service as one image: web (the default), worker and migrate are the same files, started differently.
#   docker build -t halcyon .
#   docker run --read-only --cap-drop ALL --env-file … halcyon [web|worker|migrate]
ARG NODE_IMAGE=docker.io/library/node:22.23.4-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json ./
COPY scripts/install.mjs scripts/patches.mjs scripts/
RUN node -e 'import("./scripts/install.mjs").then((m) => m.install())'
COPY . .
RUN npm run build && node scripts/run.mjs scripts/image-files.ts /out

FROM ${NODE_IMAGE}
# Nothing is installed in here.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn*
WORKDIR /app
COPY --from=build /out ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
USER 10001:10001
EXPOSE 3000
ENTRYPOINT ["node", "--max-semi-space-size=64", "scripts/serve.mjs"]
CMD ["web"]
