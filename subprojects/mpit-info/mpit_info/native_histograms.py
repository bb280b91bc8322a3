"""Metrics in the protobuf format of Prometheus, the only one with native histograms: `native_histograms.page(metrics)`.

The messages are those of io/prometheus/client/metrics.proto; each MetricFamily has its length in front of it.
"""

import itertools
import struct

from mpit_info import measured
from mpit_info.document import clean
from mpit_info.histogram import schema_of

TYPE = "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited"
KINDS = {"counter": 0, "gauge": 1, "info": 1, "histogram": 4}


def is_wanted(accept):
    """Whether the header of a scraper asks for this format no less than for any text."""
    shares = {True: 0.0, False: 0.0}
    for kind in accept.split(","):
        name, *parameters = [part.strip().replace(" ", "") for part in kind.split(";")]
        is_this = name == "application/vnd.google.protobuf" and "encoding=delimited" in parameters
        if is_this or name in ("application/openmetrics-text", "text/plain"):
            try:
                share = float(next((part[2:] for part in parameters if part.startswith("q=")), 1))
            except ValueError:
                continue
            shares[is_this] = max(shares[is_this], share)
    return 0 < shares[True] >= shares[False]


def in_nanoseconds(metric):
    """The metric of times whose bounds are those of a native histogram in nanoseconds alone, in these; None for others."""
    latest = [(labels, *values[-1]) for labels, values in metric.series]
    found = measured.in_nanoseconds(metric, [value for _, _, value in latest]) if metric.kind == "histogram" else None
    return found and found[0]._replace(series=[(labels, [(moment, value)]) for (labels, moment, _), value in zip(latest, found[1])])


def has_any(metrics):
    """Whether there is a distribution that can be a native histogram."""
    return any(metric.kind == "histogram" and (schema_of(metric.series[0][1][-1][1].bounds) or in_nanoseconds(metric)) for metric in metrics)


def varint(number):
    """A number from 0 in groups of seven bits."""
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def zigzag(number):
    """A number with a sign."""
    return varint(2 * number if number >= 0 else -2 * number - 1)


def field(number, value):
    """A field: bytes, or a float as a double, or an integer from 0."""
    if isinstance(value, (bytes, str)):
        value = value.encode() if isinstance(value, str) else value
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3 | 1) + struct.pack("<d", value) if isinstance(value, float) else varint(number << 3) + varint(value)


def histogram(value):
    """The fields of a histogram: cumulative buckets, and beside them native ones of exponential bounds. Samples above the highest bound are in the
    native bucket behind it.
    """
    found = field(1, int(value.count)) + (b"" if value.sum is None else field(2, float(value.sum)))
    for bound, count in zip(value.bounds, itertools.accumulate(value.counts)):
        found += field(3, field(1, int(count)) + field(2, float(bound)))
    schema = schema_of(value.bounds)
    if schema is None:
        return found
    zeros, *counts = map(int, value.counts)
    while counts and not counts[-1]:
        counts.pop()
    found += varint(5 << 3) + zigzag(schema.scale) + field(6, float(value.bounds[0])) + field(7, zeros)
    # A span without samples says that this is a native histogram.
    found += field(12, varint(1 << 3) + zigzag(schema.offset + 1) + field(2, len(counts)))
    deltas = b"".join(zigzag(count - before) for before, count in itertools.pairwise([0, *counts]))
    return found + (field(13, deltas) if counts else b"")


def page(metrics):
    """The page."""
    found = []
    # Times in powers of two of nanoseconds are classic in seconds, and native beside that.
    for metric in [*metrics, *filter(None, map(in_nanoseconds, metrics))]:
        end = {"counter": "_total", "info": "_info"}.get(metric.kind, "")
        family = field(1, metric.name + end) + field(2, metric.description) + field(3, KINDS[metric.kind])
        for labels, values in metric.series:
            value = values[-1][1]
            pairs = b"".join(field(1, field(1, name) + field(2, clean(text))) for name, text in sorted(labels.items()) if text)
            inner = field(7, histogram(value)) if metric.kind == "histogram" else field(
                3 if metric.kind == "counter" else 2, field(1, float(value)))
            family += field(4, pairs + inner)
        found.append(varint(len(family)) + family)
    return b"".join(found)
