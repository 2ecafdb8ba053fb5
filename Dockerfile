# The image that the action runs: one static binary and an empty /tmp.
ARG BUILDER=docker.io/library/rust:1.95-bookworm
FROM ${BUILDER} AS builder
WORKDIR /source
COPY . .
ENV RUSTFLAGS="-C target-feature=+crt-static"
# A target of its own keeps build scripts and macros dynamic.
RUN target="$(rustc --print host-tuple)" \
 && cargo build --release --locked --target "$target" --package rereview \
 && mkdir -p /image/tmp \
 && chmod 1777 /image/tmp \
 && cp "target/$target/release/rereview" /image/rereview

FROM scratch
LABEL org.opencontainers.image.title="rereview" \
      org.opencontainers.image.description="Reviews a pull request after every push and remembers what it said" \
      org.opencontainers.image.licenses="MIT"
COPY --from=builder /image/ /
ENTRYPOINT ["/rereview"]
