"""Serve a strategy to sagasu from Python.

    class Mine:
        def describe(self): ...            # -> strategy_pb2.Description
        def search(self, request, corpus): ...  # -> strategy_pb2.SearchResponse

    sagasu.serve(Mine())

describe is called once. search is called from several threads at once; request is a
strategy_pb2.SearchRequest, and corpus a Corpus that shows the sections of the request's
scope until search returns. A strategy with configuration has configure(self, config) too,
which is given the parsed JSON. One that searches all by itself has open(self, corpus): it is
given each snapshot whole, before the first search on it, and what it returns is
corpus.opened in searches. found(rows, request) makes the response. Prints go to the host's log.

Needs Debian's python3-grpcio, python3-protobuf and python3-cryptography.
"""

import base64
import datetime
import json
import os
import sys
import threading
import traceback
from concurrent import futures
from typing import NamedTuple, Optional, Sequence

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from google.protobuf.empty_pb2 import Empty
from google.protobuf.wrappers_pb2 import BytesValue

import strategy_pb2 as pb
import transport_pb2 as transport

__all__ = ["Corpus", "Found", "found", "log", "serve"]

VERSION = "python 1"
PROTOCOL = 1
COOKIE = ("SAGASU_STRATEGY", "b6f3d1c0-sagasu-strategy")
MOST_BYTES = 64 << 20  # of a message, as on the host's side
MOST_SECTIONS = 1000  # of one call to the host
MOST_OPENED = 4  # snapshots: an edit makes a new one while the last is still searched
THREADS = 8
LIMITS = [("grpc.max_receive_message_length", MOST_BYTES), ("grpc.max_send_message_length", MOST_BYTES)]


class Identity:
    """A key and its certificate for the life of the process: mutual TLS with the host."""

    def __init__(self, host_pem):
        self.host = host_pem.encode()
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
        now = datetime.datetime.utcnow()
        usages = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(minutes=1))
            .not_valid_after(now + datetime.timedelta(days=3650))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
            .add_extension(x509.ExtendedKeyUsage(usages), False)
            .sign(key, hashes.SHA256())
        )
        self.der = certificate.public_bytes(serialization.Encoding.DER)
        self.pem = certificate.public_bytes(serialization.Encoding.PEM)
        self.key = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )

    def server(self):
        return grpc.ssl_server_credentials([(self.key, self.pem)], self.host, require_client_auth=True)

    def channel(self, address):
        credentials = grpc.ssl_channel_credentials(self.host, self.key, self.pem)
        options = LIMITS + [("grpc.ssl_target_name_override", "localhost"), ("grpc.default_authority", "localhost")]
        return grpc.secure_channel(address, credentials, options)


class Broker:
    """Knows where the host serves what, as the host tells it."""

    def __init__(self, identity):
        self.identity = identity
        self.known = threading.Condition()
        self.addresses = {}
        self.channels = {}

    def listen(self, messages, _context):
        for message in messages:
            with self.known:
                scheme = "unix:" if message.network == "unix" else "ipv4:"
                self.addresses[message.service_id] = scheme + message.address
                self.known.notify_all()
        yield from ()

    def channel(self, service):
        with self.known:
            if not self.known.wait_for(lambda: service in self.addresses, timeout=5):
                raise RuntimeError("the host did not say where its sections are")
            if service not in self.channels:
                self.channels[service] = self.identity.channel(self.addresses[service])
            return self.channels[service]


class Corpus:
    """The sections that one call may read: those of the request's scope, in open all of them."""

    def __init__(self, channel, reading, context, opened=None):
        self.opened = opened  # what the strategy's open returned for this snapshot
        self._token = reading.token
        self._context = context
        self._calls = {
            name: channel.unary_unary(
                "/sagasu.strategy.v1.CorpusReader/" + name,
                request_serializer=lambda message: message.SerializeToString(),
                response_deserializer=answer.FromString,
            )
            for name, answer in (
                ("Scope", pb.ScopeResponse),
                ("Sections", pb.SectionsResponse),
                ("Statistics", pb.StatisticsResponse),
            )
        }

    def _call(self, name, message):
        left = self._context.time_remaining()
        return self._calls[name](message, timeout=None if left is None or left > 1e6 else left)  # open has no deadline

    def all(self, max_bytes=0):
        """Yields a SectionText for each section, by id."""
        yield from self.sections(self.scope(), max_bytes)

    def scope(self):
        """Yields the ids of the sections, ascending."""
        start = 0
        while True:
            ids = self._call("Scope", pb.ScopeRequest(token=self._token, **{"from": start})).sections
            yield from ids
            if not ids or ids[-1] == 0xFFFFFFFF:
                return
            start = ids[-1] + 1

    def sections(self, ids, max_bytes=0):
        """Yields a SectionText for each id, in order."""
        ids = list(ids)
        while ids:
            message = pb.SectionsRequest(token=self._token, sections=ids[:MOST_SECTIONS], max_bytes=max_bytes)
            found = self._call("Sections", message).sections
            yield from found
            ids = ids[len(found) :]

    def statistics(self, terms=()):
        """Gives a StatisticsResponse."""
        return self._call("Statistics", pb.StatisticsRequest(token=self._token, terms=terms))


class Found(NamedTuple):
    """A section that a strategy proposes."""

    section: int
    score: float
    signals: Sequence[str] = ()
    terms: Sequence[str] = ()
    coverage: Optional[float] = None  # share of the query's terms that it holds; None where nobody measured it


def found(rows, request, examined=0, finished=True):
    """Gives a SearchResponse of the best Found rows, those of equal score in their order."""
    best = sorted(rows, key=lambda row: -row.score)[: request.limit]
    out, strings = pb.Candidates(), {}

    def _add(words, column, counts):
        column.extend(strings.setdefault(word, len(strings)) for word in words)
        counts.append(len(words))

    for row in best:
        out.sections.append(row.section)
        out.scores.append(row.score)
        out.coverages.append(row.coverage or 0)
        out.measured.append(row.coverage is not None)
        _add(row.signals, out.signals, out.signal_counts)
        _add(row.terms, out.terms, out.term_counts)
    out.strings.extend(strings)
    return pb.SearchResponse(candidates=out, examined=examined, finished=finished)


class Opening(Exception):
    """The strategy has not prepared for a snapshot: the host calls Open, and searches again."""


class Server:
    """Answers the host's calls with a strategy."""

    def __init__(self, strategy, broker):
        self.strategy = strategy
        self.broker = broker
        self.ended = threading.Event()
        self.lock = threading.Lock()  # held while the strategy opens a snapshot
        self.opened = {}  # by name of the snapshot: what open returned
        self.failed = {}  # the same: what open raised, until a search has told of it

    def describe(self, _request, _context):
        description = self.strategy.describe()
        description.reads_remotely = True
        description.sdk = VERSION
        return description

    def configure(self, request, _context):
        self.strategy.configure(json.loads(request.value))
        return Empty()

    def corpus(self, request, context, opened):
        if not request.HasField("reading"):
            raise RuntimeError("the host shows no sections")
        channel = self.broker.channel(request.reading.broker_id)
        return Corpus(channel, request.reading, context, opened.get(key(request)))

    def open(self, request, context):
        name = key(request)
        with self.lock:
            if hasattr(self.strategy, "open") and name not in self.opened:
                try:
                    opened = self.strategy.open(self.corpus(request, context, {}))
                except Exception as e:
                    self.failed[name] = e
                    raise
                last = list(self.opened.items())[1 - MOST_OPENED :]
                self.opened = dict(last + [(name, opened)])  # not in place: searches read it meanwhile
        return Empty()

    def search(self, request, context):
        opened = self.opened
        if hasattr(self.strategy, "open") and key(request) not in opened:
            raise self.failed.pop(key(request), Opening())
        return self.strategy.search(request, self.corpus(request, context, opened))

    def shutdown(self, _request, _context):
        self.ended.set()
        return transport.Empty()

    def handlers(self):
        calls = {
            "sagasu.strategy.v1.Strategy": {
                "Describe": (self.describe, Empty),
                "Configure": (self.configure, BytesValue),
                "Open": (self.open, pb.OpenRequest),
                "Search": (self.search, pb.SearchRequest),
            },
            "plugin.GRPCController": {"Shutdown": (self.shutdown, transport.Empty)},
        }
        for service, methods in calls.items():
            yield grpc.method_handlers_generic_handler(
                service, {name: unary(code, request) for name, (code, request) in methods.items()}
            )
        stream = grpc.stream_stream_rpc_method_handler(
            self.broker.listen, transport.ConnInfo.FromString, transport.ConnInfo.SerializeToString
        )
        yield grpc.method_handlers_generic_handler("plugin.GRPCBroker", {"StartStream": stream})


def key(request):
    """Names the snapshot of a request."""
    return request.corpus.dir, request.corpus.name


def unary(code, request):
    """Makes a handler of code; what it raises becomes an error of that call alone."""

    def answer(message, context):
        try:
            return code(message, context)
        except grpc.RpcError as e:  # the host took the right to read back, or the time is up
            if e.code() == grpc.StatusCode.UNAVAILABLE:  # of the host, not of this process
                context.abort(grpc.StatusCode.UNKNOWN, "the host cannot be reached: grant --network unix")
            context.abort(e.code(), "reading from the host: " + e.code().name)
        except Opening:
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, "the snapshot is not open")
        except Exception as e:  # its text may repeat a query
            context.abort(grpc.StatusCode.UNKNOWN, "the strategy raised %s%s" % (type(e).__name__, place(e)))

    return grpc.unary_unary_rpc_method_handler(answer, request.FromString, lambda message: message.SerializeToString())


def place(error):
    """Says where an exception was raised: in the last line of the strategy's own, and not of a library."""
    frames = traceback.extract_tb(error.__traceback__)
    foreign = (os.path.dirname(os.__file__), __file__)  # the standard library, and this one
    own = [f for f in frames if not f.filename.startswith(foreign) and "-packages" not in f.filename]
    return " at %s:%d in %s" % (os.path.basename(own[-1].filename), own[-1].lineno, own[-1].name) if own else ""


def log(level, message):
    """Writes a line that the host's log takes over. Never log a query or a text."""
    print(json.dumps({"@level": level, "@message": message}), file=sys.stderr, flush=True)


def exit_on_host_death():
    """Ends the process when stdin ends: the host holds the other end."""
    while os.read(0, 4096):
        pass
    os._exit(0)


def serve(strategy):
    """Serves the strategy to the host that started the process, until it lets go."""
    host = os.environ.get("PLUGIN_CLIENT_CERT")
    if os.environ.get(COOKIE[0]) != COOKIE[1] or not host:
        sys.exit("This is a strategy of sagasu; sagasu starts it.")
    if str(PROTOCOL) not in os.environ.get("PLUGIN_PROTOCOL_VERSIONS", "").split(","):
        sys.exit("This strategy speaks version %d of the protocol, the host does not." % PROTOCOL)
    handshake = os.fdopen(os.dup(1), "w")  # the host reads one line there; prints go to the log
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)
    if os.environ.get("SAGASU_LEASH") == "stdin":
        threading.Thread(target=exit_on_host_death, daemon=True).start()
    identity = Identity(host)
    ours = Server(strategy, Broker(identity))
    server = grpc.server(futures.ThreadPoolExecutor(THREADS), options=LIMITS)
    server.add_generic_rpc_handlers(tuple(ours.handlers()))
    if os.name == "nt":
        network, address = "tcp", "127.0.0.1:%d" % server.add_secure_port("127.0.0.1:0", identity.server())
    else:
        network, address = "unix", os.path.join(os.environ.get("PLUGIN_UNIX_SOCKET_DIR", ""), "strategy.sock")
        server.add_secure_port("unix:" + address, identity.server())
    server.start()
    certificate = base64.b64encode(identity.der).decode().rstrip("=")
    print("1|%d|%s|%s|grpc|%s" % (PROTOCOL, network, address, certificate), file=handshake, flush=True)
    ours.ended.wait()
    server.stop(grace=0.5).wait()
    sys.stderr.flush()
    os._exit(0)  # a search that does not end must not hold the process
