// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {PlanSlot} from "../libraries/PlanSlot.sol";
import {PlanStore} from "./PlanStore.sol";

/// @title The one way in which money leaves a plan
abstract contract PlanPayments is PlanStore {
    using SafeERC20 for IERC20;

    /// @dev Pays `payeeBps` of each step in `bits` and the fee on it; with `close`, or in a plan that is closing, also
    ///      gives back what no disputed step needs. The caller has checked that these steps may end so, and told why.
    function _carryOut(
        bytes32 id,
        PlanSlot slot,
        Terms calldata terms,
        Charter calldata charter,
        uint64 bits,
        uint256 payeeBps,
        bool close
    ) internal {
        address token = terms.token;
        Step[] calldata steps = charter.steps;
        uint256 back;
        {
            (uint256 paid, uint256 fee) = _price(slot, steps, bits, payeeBps, terms.feeBps);

            // effect; checked arithmetic keeps a plan from ever paying more than it holds
            uint256 rest = uint256(slot.remaining()) - paid - fee;
            if (fee != 0) {
                credit[token][terms.feeTo] += fee;
                emit FeeCredited(id, token, terms.feeTo, fee);
            }
            slot = payeeBps == BPS ? slot.withPaid(bits) : slot.withEnded(bits);
            if (close || slot.closing()) {
                uint256 kept;
                (slot, kept) = _end(id, slot, steps, terms.feeBps);
                (back, rest) = (rest - kept, kept);
            }
            _plans[id] = slot.withRemaining(uint96(rest));
        }
        uint256[] memory withheld = _creditRoyalties(id, token, steps, charter.royalties, bits, payeeBps);

        // interaction
        _payRuns(id, token, steps, withheld, bits, payeeBps);
        _giveBack(id, terms, back);
    }

    function _giveBack(bytes32 id, Terms calldata terms, uint256 amount) internal {
        if (amount == 0) return;
        if (_push(id, terms.token, terms.client, amount)) emit Refunded(id, terms.client, amount);
    }

    /// @dev Ends all that is pending. What disputed steps and their fee need is kept; without any the plan is closed.
    function _end(bytes32 id, PlanSlot slot, Step[] calldata steps, uint256 feeBps)
        private
        returns (PlanSlot ended, uint256 kept)
    {
        ended = slot.withPendingEnded();
        uint64 disputed = slot.disputedBits();
        if (disputed == 0) {
            ended = ended.withStatus(uint8(PlanStatus.Closed)).withClosing(false);
            emit PlanClosed(id);
        } else {
            (uint256 amount, uint256 fee) = _price(slot, steps, disputed, BPS, feeBps);
            kept = amount + fee;
            ended = ended.withClosing(true);
            emit PlanClosing(id, disputed);
        }
    }

    /// @dev What `payeeBps` of `bits` comes to, and the fee on it. For steps paid whole that is what the fee on all of
    ///      them so far grows by; a split bears its own, rounded down.
    function _price(PlanSlot slot, Step[] calldata steps, uint64 bits, uint256 payeeBps, uint256 feeBps)
        private
        pure
        returns (uint256 paid, uint256 fee)
    {
        unchecked {
            paid = _sum(steps, bits, payeeBps);
            if (feeBps == 0) return (paid, 0);
            uint256 earlier = payeeBps == BPS ? _sum(steps, slot.paidBits(), BPS) : 0;
            fee = _fee(earlier + paid, feeBps) - _fee(earlier, feeBps);
        }
    }

    /// @dev Cannot overflow: at most 64 amounts of 96 bits, times at most 10000.
    function _sum(Step[] calldata steps, uint64 bits, uint256 payeeBps) private pure returns (uint256 sum) {
        unchecked {
            uint256 left = bits;
            for (uint256 i = 0; left != 0; ++i) {
                if (left & 1 == 1) sum += _share(_amountAt(steps, i), payeeBps);
                left >>= 1;
            }
        }
    }

    /// @dev Credits the royalties on `bits`. Answers what to keep back of each step's pay; nothing where there are none.
    function _creditRoyalties(
        bytes32 id,
        address token,
        Step[] calldata steps,
        Royalty[] calldata royalties,
        uint64 bits,
        uint256 payeeBps
    ) private returns (uint256[] memory withheld) {
        if (royalties.length == 0) return withheld;
        withheld = new uint256[](steps.length);
        for (uint256 i = 0; i < royalties.length; ++i) {
            Royalty calldata royalty = royalties[i];
            uint8 step = royalty.step;
            if ((bits >> step) & 1 == 0) continue;
            uint256 amount = _share(_share(steps[step].amount, payeeBps), royalty.bps);
            if (amount == 0) continue;
            withheld[step] += amount;
            credit[token][royalty.to] += amount;
            emit RoyaltyCredited(id, token, royalty.to, step, amount);
        }
    }

    /// @dev One transfer per run of chosen steps with the same payee.
    function _payRuns(
        bytes32 id,
        address token,
        Step[] calldata steps,
        uint256[] memory withheld,
        uint64 bits,
        uint256 payeeBps
    ) private {
        unchecked {
            address payee;
            uint256 sum;
            uint256 left = bits;
            for (uint256 i = 0; left != 0; (++i, left >>= 1)) {
                if (left & 1 == 0) continue;
                address next = _payeeAt(steps, i);
                if (next != payee) {
                    _pay(id, token, payee, sum);
                    (payee, sum) = (next, 0);
                }
                sum += _share(_amountAt(steps, i), payeeBps);
                // Royalties are at most half of what the step pays.
                if (withheld.length != 0) sum -= withheld[i];
            }
            _pay(id, token, payee, sum);
        }
    }

    function _pay(bytes32 id, address token, address payee, uint256 amount) private {
        if (amount == 0) return;
        if (_push(id, token, payee, amount)) emit Paid(id, payee, amount);
    }

    /// @dev Sends, or credits when the token reverts or answers false. Copies at most one word of the answer.
    function _push(bytes32 id, address token, address to, uint256 amount) private returns (bool sent) {
        sent = IERC20(token).trySafeTransfer(to, amount);
        if (!sent) {
            credit[token][to] += amount;
            emit Credited(id, token, to, amount);
        }
    }

    /// @dev `steps[i].payee`, read without the checks of place and high bits that every charter has passed by now: it was
    ///      sound when it was sealed or, in a direct hire, is found so in this very call; and `i` is one of its steps.
    function _payeeAt(Step[] calldata steps, uint256 i) private pure returns (address payee) {
        assembly ("memory-safe") {
            payee := calldataload(add(steps.offset, shl(6, i)))
        }
    }

    /// @dev As {_payeeAt}.
    function _amountAt(Step[] calldata steps, uint256 i) private pure returns (uint256 amount) {
        assembly ("memory-safe") {
            amount := calldataload(add(add(steps.offset, shl(6, i)), 0x20))
        }
    }

    function _share(uint256 amount, uint256 bps) private pure returns (uint256) {
        unchecked {
            return amount * bps / BPS;
        }
    }
}
