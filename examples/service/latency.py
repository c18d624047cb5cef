"""Time the requests of a running service: p50 and p99 from the side of the client.

    python latency.py [HOST:PORT]

Clients are threads of this process with one connection each. They share the processor with the
service, so the figures include their own work.
"""

from __future__ import annotations

import http.client
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

N_REQUESTS = 2000
PATIENT = {
    "age": 60,
    "anaemia": 0,
    "creatinine_phosphokinase": 582,
    "diabetes": 1,
    "ejection_fraction": 38,
    "high_blood_pressure": 0,
    "platelets": None,
    "serum_creatinine": 1.1,
    "serum_sodium": 137,
    "sex": "woman",
    "smoking": 0,
}


def times(address: str, path: str, body: Any, n_requests: int) -> list[float]:
    """Return the seconds of each request of one client."""
    connection = http.client.HTTPConnection(address, timeout=30)
    data, found = json.dumps(body), []
    for _ in range(n_requests):
        begin = time.perf_counter()
        connection.request("POST", path, data, {"Content-Type": "application/json"})
        response = connection.getresponse()
        response.read()
        found.append(time.perf_counter() - begin)
        if response.status != 200:
            raise SystemExit(f"{path} answered {response.status}")
    connection.close()
    return found


def main(address: str = "127.0.0.1:8000") -> None:
    print("request               clients   p50 ms   p99 ms   requests/s")
    batch = {"rows": [PATIENT] * 1000}
    for path, body, n_requests in (
        ("/predict", PATIENT, N_REQUESTS),
        ("/predict/batch", batch, N_REQUESTS // 40),
    ):
        for n_clients in (1, 8):
            times(address, path, body, 20)  # warm up
            begin = time.perf_counter()
            with ThreadPoolExecutor(n_clients) as pool:
                each = [
                    pool.submit(times, address, path, body, n_requests // n_clients)
                    for _ in range(n_clients)
                ]
                every = sorted(one for client in each for one in client.result())
            rate = len(every) / (time.perf_counter() - begin)
            p50, p99 = (1000 * every[int(share * (len(every) - 1))] for share in (0.5, 0.99))
            print(f"{path:<22}{n_clients:>7}{p50:>9.2f}{p99:>9.2f}{rate:>13,.0f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
