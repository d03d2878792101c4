"""The curve BLS12-381 in plain integers: primes, groups, generators and maps, all from the seed.

Points are affine pairs of field elements, None is infinity. An element of Fp is an int, one of
Fp2 = Fp[u]/(u^2+1) a pair of ints.
"""
import math

# Both primes follow from the seed (draft-irtf-cfrg-pairing-friendly-curves).
Z = -0xD201000000010000
R = Z**4 - Z**2 + 1
P = (Z - 1) ** 2 * R // 3 + Z

XI = (1, 1)  # 1 + u, the non-residue of tower and twist


class Prime:
    """Arithmetic of Fp."""

    zero, one = 0, 1
    b = 4

    @staticmethod
    def add(a, b):
        return (a + b) % P

    @staticmethod
    def sub(a, b):
        return (a - b) % P

    @staticmethod
    def mul(a, b):
        return a * b % P

    @staticmethod
    def inv(a):
        return pow(a, -1, P)

    @staticmethod
    def sqrt(a):
        root = pow(a, (P + 1) // 4, P)
        return root if root * root % P == a % P else None

    @staticmethod
    def from_int(a):
        return a % P

    @staticmethod
    def sort_key(a):
        return a


class Quadratic:
    """Arithmetic of Fp2."""

    zero, one = (0, 0), (1, 0)
    b = (4, 4)

    @staticmethod
    def add(a, b):
        return (a[0] + b[0]) % P, (a[1] + b[1]) % P

    @staticmethod
    def sub(a, b):
        return (a[0] - b[0]) % P, (a[1] - b[1]) % P

    @staticmethod
    def mul(a, b):
        return (a[0] * b[0] - a[1] * b[1]) % P, (a[0] * b[1] + a[1] * b[0]) % P

    @staticmethod
    def inv(a):
        n = pow(a[0] ** 2 + a[1] ** 2, -1, P)
        return a[0] * n % P, -a[1] * n % P

    @staticmethod
    def sqrt(a):
        """Complex method, for a[1] != 0."""
        norm = Prime.sqrt((a[0] ** 2 + a[1] ** 2) % P)
        if norm is None:
            return None
        for n in (norm, -norm):
            c0 = Prime.sqrt((a[0] + n) * pow(2, -1, P) % P)
            if c0:
                return c0, a[1] * pow(2 * c0, -1, P) % P
        return None

    @staticmethod
    def from_int(a):
        return a % P, 0

    @staticmethod
    def sort_key(a):
        return a[1], a[0]

    @classmethod
    def pow(cls, a, exponent):
        out = cls.one
        for bit in bin(exponent)[2:]:
            out = cls.mul(out, out)
            if bit == "1":
                out = cls.mul(out, a)
        return out


def add_points(field, p, q):
    if p is None or q is None:
        return p or q
    if p[0] == q[0]:
        if p[1] != q[1] or p[1] == field.zero:
            return None
        slope = field.mul(field.mul(field.from_int(3), field.mul(p[0], p[0])), field.inv(field.add(p[1], p[1])))
    else:
        slope = field.mul(field.sub(q[1], p[1]), field.inv(field.sub(q[0], p[0])))
    x = field.sub(field.sub(field.mul(slope, slope), p[0]), q[0])
    return x, field.sub(field.mul(slope, field.sub(p[0], x)), p[1])


def multiply_point(field, p, k):
    if k < 0:
        p, k = (p[0], field.sub(field.zero, p[1])), -k
    out = None
    for bit in bin(k)[2:]:
        out = add_points(field, out, out)
        if bit == "1":
            out = add_points(field, out, p)
    return out


def generator(field, cofactor):
    """Smallest x that has a y, the smaller y, times the cofactor: the rule of the standard generators."""
    x = 0
    while True:
        x += 1
        at = field.from_int(x)
        y = field.sqrt(field.add(field.mul(field.mul(at, at), at), field.b))
        if y is None:
            continue
        y = min(y, field.sub(field.zero, y), key=field.sort_key)
        point = multiply_point(field, (at, y), cofactor)
        if point is not None:
            return point


def twist_order():
    """#E'(Fp2): of the six twists' orders the one that r divides (Hess, Smart, Vercauteren 2006)."""
    trace = (Z + 1) ** 2 - 2 * P
    f = math.isqrt((4 * P**2 - trace**2) // 3)
    orders = [P**2 + 1 + sign * (trace + other * 3 * f) // 2 for sign in (1, -1) for other in (1, -1)]
    return next(n for n in orders if n % R == 0)


G1_COFACTOR = (Z - 1) ** 2 // 3
G2_COFACTOR = twist_order() // R
# The cheap subgroup tests are exact because of these (Scott 2021, eprint 2021/1130).
assert math.gcd(G1_COFACTOR, G2_COFACTOR) == 1 and G2_COFACTOR % R != 0
# f^p = f^z tests the order r inside the cyclotomic subgroup of Fp12 because of this.
assert math.gcd(P - Z, P**4 - P**2 + 1) == R

G1 = generator(Prime, G1_COFACTOR)
G2 = generator(Quadratic, G2_COFACTOR)


def cube_root_of_unity():
    """The beta with (beta·x, y) = -[z^2](x, y) on the subgroup of order r."""
    root = (Prime.sqrt(-3 % P) - 1) * pow(2, -1, P) % P
    target = multiply_point(Prime, G1, -(Z**2))
    return next(beta for beta in (root, root * root % P) if (beta * G1[0] % P, G1[1]) == target)


def frobenius_powers():
    """xi^(k(p-1)/6) for k = 0..5: w^p = w·(the one with k = 1)."""
    return [Quadratic.pow(XI, k * (P - 1) // 6) for k in range(6)]


def psi_coefficients():
    """psi(x, y) = (conj(x)·first, conj(y)·second): twist back, Frobenius, twist."""
    first = Quadratic.inv(Quadratic.pow(XI, (P - 1) // 3))
    second = Quadratic.inv(Quadratic.pow(XI, (P - 1) // 2))
    conj = [(c[0], -c[1] % P) for c in G2]
    image = Quadratic.mul(conj[0], first), Quadratic.mul(conj[1], second)
    assert image == multiply_point(Quadratic, G2, Z)
    return first, second
