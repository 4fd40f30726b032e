//! Finite fields.

/// The field of a prime power's order. Its elements are numbers; 0 and 1 are those of the field.
#[derive(Clone, Debug)]
pub(super) struct Field {
    order: usize,
    sums: Vec<u8>,
    products: Vec<u8>,
}

impl Field {
    /// Greatest order of a field.
    pub(super) const GREATEST: usize = 128;

    /// The field of this order; `None` if there is no such field, or if the order is too great.
    pub(super) fn new(order: usize) -> Option<Field> {
        let prime = (2..=order).find(|divisor| order.is_multiple_of(*divisor))?;
        let degree = (1..).find(|degree| prime.pow(*degree) >= order)? as usize;
        if order > Self::GREATEST || prime.pow(degree as u32) != order {
            return None;
        }
        let sums = table(order, |a, b| {
            let digits = digits(a, prime, degree).into_iter().zip(digits(b, prime, degree));
            number(&digits.map(|(a, b)| (a + b) % prime).collect::<Vec<_>>(), prime)
        });
        // An element is a polynomial whose coefficients are its digits. Modulo an irreducible one, each but 0
        // has an inverse.
        let fields = (0..order).map(|modulus| {
            let modulus = digits(modulus, prime, degree);
            table(order, |a, b| {
                product(&digits(a, prime, degree), &digits(b, prime, degree), &modulus, prime)
            })
        });
        let invertible = |products: &Vec<u8>| products.chunks(order).skip(1).all(|row| row.contains(&1));
        Some(Field { order, sums, products: fields.into_iter().find(invertible)? })
    }

    /// `a + b`
    pub(super) fn sum(&self, a: usize, b: usize) -> usize {
        self.sums[a * self.order + b].into()
    }

    /// `a * b`
    pub(super) fn product(&self, a: usize, b: usize) -> usize {
        self.products[a * self.order + b].into()
    }
}

/// The powers of different primes whose product a number is; none for 1.
pub(super) fn prime_powers(mut number: usize) -> Vec<usize> {
    let mut powers = Vec::new();
    for prime in 2.. {
        let mut power = 1;
        while number > 1 && number.is_multiple_of(prime) {
            number /= prime;
            power *= prime;
        }
        if power > 1 {
            powers.push(power);
        }
        if number <= 1 {
            break;
        }
    }
    powers
}

fn table(order: usize, entry: impl Fn(usize, usize) -> usize) -> Vec<u8> {
    let pairs = (0..order).flat_map(|a| (0..order).map(move |b| (a, b)));
    pairs.map(|(a, b)| u8::try_from(entry(a, b)).expect("an element")).collect()
}

/// The digits of a number, the least first.
fn digits(mut number: usize, base: usize, count: usize) -> Vec<usize> {
    let digit = |_| {
        let digit = number % base;
        number /= base;
        digit
    };
    (0..count).map(digit).collect()
}

fn number(digits: &[usize], base: usize) -> usize {
    digits.iter().rev().fold(0, |number, digit| number * base + digit)
}

/// The product of two polynomials modulo `x^degree + modulus`.
fn product(a: &[usize], b: &[usize], modulus: &[usize], prime: usize) -> usize {
    let degree = modulus.len();
    let mut product = vec![0; 2 * degree];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            product[i + j] = (product[i + j] + a * b) % prime;
        }
    }
    for high in (degree..2 * degree).rev() {
        let factor = std::mem::take(&mut product[high]);
        for (low, coefficient) in modulus.iter().enumerate() {
            let place = &mut product[high - degree + low];
            *place = (*place + (prime - coefficient) * factor) % prime;
        }
    }
    number(&product[..degree], prime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_prime_powers_as_orders() {
        let orders: Vec<usize> = (2..20).filter(|order| Field::new(*order).is_some()).collect();
        assert_eq!(orders, [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19]);
        assert_eq!((prime_powers(1), prime_powers(360), prime_powers(97)), (vec![], vec![8, 9, 5], vec![97]));
        assert!([0, 1, 6, 12, 131].into_iter().all(|order| Field::new(order).is_none()));
    }

    #[test]
    fn a_field_keeps_the_laws() {
        for order in [2, 5, 8, 9, 25, 27] {
            let field = Field::new(order).unwrap();
            let all = 0..order;
            for a in all.clone() {
                assert_eq!((field.sum(a, 0), field.product(a, 1), field.product(a, 0)), (a, a, 0));
                for b in all.clone() {
                    assert_eq!(field.product(a, b), field.product(b, a));
                    assert!(field.product(a, b) != 0 || a == 0 || b == 0, "{order}: {a} {b}");
                    for c in all.clone() {
                        let apart = field.sum(field.product(a, b), field.product(a, c));
                        assert_eq!(field.product(a, field.sum(b, c)), apart);
                    }
                }
            }
        }
    }
}
